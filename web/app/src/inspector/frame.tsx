/**
 * The page with the inspector: beside it, below it or above it, as somebody chose. On a phone it is a sheet that
 * covers everything. The page inside is never drawn anew when the inspector moves.
 */
import type { Api } from "@forestage/client";
import type { InspectorProps } from "@forestage/react";
import { useMessages } from "@forestage/react/i18n";
import { type CSSProperties, lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { paths } from "../router.js";
import { PlaceMenu } from "./place-menu.js";
import { type FrameSettings, LEAST, remember, remembered } from "./settings.js";
import { useDrag } from "./use-drag.js";
import { openWindow } from "./window.js";
import { words } from "./words.js";
import "./frame.css";

const Inspector = lazy(async () => ({ default: (await import("@forestage/react/inspector")).Inspector }));

export interface InspectorFrameProps {
  api: Api;
  /** The thread that is inspected. */
  threadId: string;
  isOpen: boolean;
  /** The event to open. */
  event?: string | undefined;
  onClose: () => void;
  /** Goes to a thread, after a branch or an import made one. */
  onOpenThread?: (threadId: string) => void;
  /** The scrubber has moved to another moment, or back to the present. */
  onMoment?: InspectorProps["onMoment"];
  /** The page. */
  children: ReactNode;
}

export function InspectorFrame({ api, threadId, isOpen, event, onClose, onOpenThread, onMoment, children }: InspectorFrameProps) {
  const t = useMessages(words);
  const [settings, setSettings] = useState(remembered);
  const change = (changed: Partial<FrameSettings>) => {
    const next = { ...settings, ...changed };
    remember(next);
    setSettings(next);
  };
  const popOut = () => {
    if (openWindow(paths.inspector(threadId))) onClose();
  };
  return (
    <div className="inspector-frame" data-place={isOpen ? settings.place : undefined} style={sizes(settings)}>
      <div className="inspector-page">{children}</div>
      {isOpen && (
        <aside className="inspector-box" aria-label={t.inspector}>
          <Grip settings={settings} onChange={change} />
          <Suspense fallback={<p className="inspector-loading">{t.loading}</p>}>
            <Inspector
              threadId={threadId}
              api={api}
              mode={settings.place === "floating" ? "floating" : "docked"}
              onClose={onClose}
              {...(event === undefined ? {} : { event })}
              {...(onOpenThread === undefined ? {} : { onOpenThread })}
              {...(onMoment === undefined ? {} : { onMoment })}
              controls={<PlaceMenu place={settings.place} onPlace={(place) => change({ place })} onWindow={popOut} />}
            />
          </Suspense>
        </aside>
      )}
    </div>
  );
}

function sizes({ side, bottom, box }: FrameSettings): CSSProperties {
  const custom: Record<string, string> = {
    "--inspector-side": `${side}px`,
    "--inspector-bottom": `${bottom}px`,
    "--inspector-x": box.x < 0 ? `calc(100vw - ${box.width}px + ${box.x}px)` : `${box.x}px`,
    "--inspector-y": `${box.y}px`,
    "--inspector-width": `${box.width}px`,
    "--inspector-height": `${box.height}px`,
  };
  return custom as CSSProperties;
}

interface GripProps {
  settings: FrameSettings;
  onChange: (changed: Partial<FrameSettings>) => void;
}

/** What is taken hold of: the edge of a docked inspector, the head and the corner of a floating one. */
function Grip({ settings, onChange }: GripProps) {
  const t = useMessages(words);
  const began = useRef(settings);
  const begin = () => {
    began.current = { ...settings, box: placed(settings.box) };
  };
  const resize = useDrag(begin, (x, y) => onChange(resized(began.current, x, y)));
  const move = useDrag(begin, (x, y) => onChange({ box: moved(began.current.box, x, y) }));
  const { place, side, bottom, box } = settings;
  const size = place === "side" ? side : place === "bottom" ? bottom : box.width;
  return (
    <>
      {place === "floating" && <div className="inspector-move" role="button" tabIndex={0} aria-label={t.move} {...move} />}
      <div
        className="inspector-grip"
        role="separator"
        tabIndex={0}
        aria-label={t.resize}
        aria-orientation={place === "bottom" ? "horizontal" : "vertical"}
        aria-valuenow={Math.round(size)}
        aria-valuemin={LEAST}
        {...resize}
      />
    </>
  );
}

/** A box with a place of its own, where it was only said how far from the edge it stands. */
function placed(box: FrameSettings["box"]): FrameSettings["box"] {
  return box.x < 0 ? { ...box, x: innerWidth - box.width + box.x } : box;
}

function resized({ place, side, bottom, box }: FrameSettings, x: number, y: number): Partial<FrameSettings> {
  const isMirrored = getComputedStyle(document.documentElement).direction === "rtl";
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, LEAST), Math.max(LEAST, most)));
  if (place === "side") return { side: within(side - (isMirrored ? -x : x), innerWidth - LEAST) };
  if (place === "bottom") return { bottom: within(bottom - y, innerHeight - 160) };
  return { box: { ...box, width: within(box.width + x, innerWidth), height: within(box.height + y, innerHeight) } };
}

/** It may leave the page in part, never as a whole. */
function moved(box: FrameSettings["box"], x: number, y: number): FrameSettings["box"] {
  const left = Math.min(Math.max(box.x + x, 0), Math.max(0, innerWidth - 120));
  const top = Math.min(Math.max(box.y + y, 0), Math.max(0, innerHeight - 60));
  return { ...box, x: left, y: top };
}
