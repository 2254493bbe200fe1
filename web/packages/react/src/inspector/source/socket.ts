/**
 * Following a thread over the socket, from its first event on.
 *
 * A browser opens only a handful of streams to one server; the chat and the inbox need theirs, and every tab has
 * its own. Sockets are counted apart, so an inspector never keeps a chat waiting.
 */
import { delayOf } from "@forestage/client";
import { isObject, type Json, objectOf, textOf } from "../log/json.js";
import type { WireEvent } from "../log/entry.js";

/** One event as it comes. */
export interface Arrival {
  event: WireEvent;
  cursor: string | null;
}

export type Status = "connecting" | "live" | "waiting" | "failed";

export interface Listener {
  onArrival(arrival: Arrival): void;
  onStatus(status: Status, message?: string): void;
}

/** Follows a thread until it is told to stop. Calls `onRefused` where no socket could be had at all. */
export function followBySocket(url: string, threadId: string, listener: Listener, onRefused: () => void): () => void {
  let cursor = "start";
  let attempt = 1;
  let wasOpen = false;
  let isStopped = false;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    listener.onStatus("connecting");
    socket = new WebSocket(url);
    socket.onopen = () => {
      wasOpen = true;
      attempt = 1;
      socket?.send(JSON.stringify({ type: "follow", id: 1, threadId, after: cursor }));
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Json);
    socket.onclose = () => {
      if (isStopped) return;
      if (!wasOpen) return onRefused();
      listener.onStatus("waiting");
      timer = setTimeout(open, delayOf(attempt++));
    };
  };

  const hear = (frame: Json) => {
    if (isStopped || !isObject(frame)) return;
    if (frame.type === "ok") listener.onStatus("live");
    if (frame.type === "error") refuse(textOf(objectOf(frame, "error"), "message") ?? "");
    const event = objectOf(frame, "event");
    if (frame.type !== "event" || event === undefined) return;
    cursor = textOf(frame, "cursor") ?? cursor;
    listener.onArrival({ event: event as WireEvent, cursor: textOf(frame, "cursor") ?? null });
  };

  /** The server has said no, and would again. */
  const refuse = (message: string) => {
    stop();
    listener.onStatus("failed", message);
  };

  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };

  open();
  return stop;
}
