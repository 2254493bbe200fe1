/** Following a thread, by whatever road there is. */
import { type Api, Tail } from "@forestage/client";
import type { WireEvent } from "../log/entry.js";
import { followBySocket, type Listener, type Status } from "./socket.js";

/** Follows a thread from its first event until it is told to stop. */
export function follow(api: Api, threadId: string, listener: Listener): () => void {
  let isStopped = false;
  let stop: () => void = () => {};
  const byStream = () => {
    if (!isStopped) stop = followByStream(api, threadId, listener);
  };
  const bySocket = () => {
    if (!isStopped) stop = followBySocket(socketUrl(), threadId, listener, byStream);
  };
  listener.onStatus("connecting");
  // A server that wants a key takes it in a header, which a socket of a browser cannot carry.
  api.server().then(({ keys }) => (keys ? byStream() : bySocket()), byStream);
  return () => {
    isStopped = true;
    stop();
  };
}

function socketUrl(): string {
  const url = new URL("/v1/ws?protocol=1.0", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

function followByStream(api: Api, threadId: string, listener: Listener): () => void {
  const path = `/v1/threads/${encodeURIComponent(threadId)}/events`;
  const tail = new Tail({
    after: "start",
    open: (after, signal) => api.fetch(`${path}?protocol=1.0&after=${encodeURIComponent(after ?? "start")}`, { signal, headers: { accept: "text/event-stream" } }),
    onStatus: ({ state }) => {
      if (state !== "closed") listener.onStatus(state satisfies Status);
    },
  });
  const read = async () => {
    for await (const { data, cursor } of tail.frames()) {
      listener.onArrival({ event: JSON.parse(data) as WireEvent, cursor: cursor ?? null });
    }
  };
  read().catch((error: unknown) => listener.onStatus("failed", error instanceof Error ? error.message : String(error)));
  return () => tail.close();
}
