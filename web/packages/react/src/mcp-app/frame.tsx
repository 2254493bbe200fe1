/**
 * The frame of a page: a page of nobody's origin in a page of nobody's origin. Only what its own window says is heard, and
 * what it says goes to the bridge.
 */
import type { Api, AppPage } from "@forestage/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { Bridge, type Call, type Handlers } from "./bridge.js";
import type { AppContent } from "./content.js";
import { MAX_HEIGHT, useSurroundings } from "./surroundings.js";

/** So long a page may take to say that it is there. */
const PATIENCE = 10_000;

/** As high as a page is before it has said how high it wants to be, and at least. */
const FIRST_HEIGHT = 240;
const MIN_HEIGHT = 32;

export interface AppFrameProps {
  api: Api;
  page: AppPage;
  content: AppContent;
  call: Call;
  title: string;
  handlers: Omit<Handlers, "resized" | "ready">;
  /** The page does not say anything. */
  onSilent: () => void;
}

export function AppFrame({ api, page, content, call, title, handlers, onSilent }: AppFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const bridge = useRef<Bridge>(undefined);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [isReady, setReady] = useState(false);
  const width = useWidth(frame);
  const context = useSurroundings(content, width);
  const latest = useLatest({ context, call, title, handlers });

  const begin = useCallback(() => {
    const send = (message: Record<string, unknown>) => frame.current?.contentWindow?.postMessage(message, "*");
    const resized = (wanted: number) => setHeight(Math.min(Math.max(Math.ceil(wanted), MIN_HEIGHT), MAX_HEIGHT));
    const does = { ...forwarded(latest), resized, ready: () => setReady(true) };
    bridge.current = new Bridge({ send, handlers: does, context: latest.current.context, csp: { ...page.csp } });
    bridge.current.show(latest.current.call);
    send({ jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: { html: page.html, title: latest.current.title } });
  }, [page, latest]);

  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      // A frame that was loaded again is empty, and so is what its page knew.
      if (methodOf(data) === "ui/notifications/sandbox-proxy-ready") begin();
      else bridge.current?.hear(data);
    };
    window.addEventListener("message", hear);
    return () => {
      window.removeEventListener("message", hear);
      bridge.current?.close();
    };
  }, [begin]);

  useEffect(() => bridge.current?.show(call), [call]);
  useEffect(() => bridge.current?.contextChanged(context), [context]);
  useEffect(() => {
    if (isReady) return;
    const timer = setTimeout(onSilent, PATIENCE);
    return () => clearTimeout(timer);
  }, [isReady, onSilent]);

  return (
    <iframe
      ref={frame}
      className="fs-app-frame"
      data-ready={isReady}
      title={title}
      sandbox="allow-scripts allow-forms"
      referrerPolicy="no-referrer"
      src={api.appFrame(page.csp)}
      style={{ blockSize: height }}
    />
  );
}

/** Handlers that are always the latest ones. */
function forwarded(latest: { current: { handlers: AppFrameProps["handlers"] } }): AppFrameProps["handlers"] {
  return {
    callTool: (name, args) => latest.current.handlers.callTool(name, args),
    readResource: (uri) => latest.current.handlers.readResource(uri),
    openLink: (url) => latest.current.handlers.openLink(url),
    say: (text) => latest.current.handlers.say(text),
    remember: (text) => latest.current.handlers.remember(text),
  };
}

function methodOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "method" in data ? data.method : undefined;
}

function useLatest<Value>(value: Value): { current: Value } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** How wide something is, in whole pixels; 0 until that is known. */
function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (place.current === null || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
