/** The addresses of the app, and moving between them without asking the server. */
import { useMemo, useSyncExternalStore } from "react";

export type Route =
  | { page: "home"; agent?: string }
  | { page: "thread"; thread: string; message?: string }
  | { page: "inbox" }
  | { page: "gallery"; item?: string }
  | { page: "inspector"; thread: string }
  | { page: "share"; thread: string; token: string }
  /** A page that speaks the contract of coaches, or that of tutors, and nothing else. */
  | { page: "coach"; agent?: string }
  | { page: "tutor"; agent?: string }
  | { page: "unknown" };

/** What an address means. */
export function routeOf(path: string, hash = "", search = ""): Route {
  const [first, second, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) {
    const agent = new URLSearchParams(search).get("agent");
    return agent === null ? { page: "home" } : { page: "home", agent };
  }
  if (first === "threads" && second !== undefined) {
    return hash.length > 1 ? { page: "thread", thread: second, message: decodeURIComponent(hash.slice(1)) } : { page: "thread", thread: second };
  }
  // What opens a link stands behind the hash, which browsers tell nobody.
  if (first === "share" && second !== undefined) return { page: "share", thread: second, token: hash.slice(1) };
  if (first === "inspector" && second !== undefined) return { page: "inspector", thread: second };
  if (first === "gallery") return second === undefined ? { page: "gallery" } : { page: "gallery", item: second };
  if (first === "inbox" && second === undefined) return { page: "inbox" };
  if ((first === "coach" || first === "tutor") && second === undefined) {
    const agent = new URLSearchParams(search).get("agent");
    return agent === null ? { page: first } : { page: first, agent };
  }
  return { page: "unknown" };
}

export const paths = {
  home: "/",
  /** A new conversation with an agent. */
  agent: (agent: string) => `/?agent=${encodeURIComponent(agent)}`,
  inbox: "/inbox",
  gallery: "/gallery",
  thread: (thread: string) => `/threads/${encodeURIComponent(thread)}`,
  /** A conversation, opened at a message. */
  message: (thread: string, message: string) => `/threads/${encodeURIComponent(thread)}#${encodeURIComponent(message)}`,
  share: (thread: string, token: string) => `/share/${encodeURIComponent(thread)}#${token}`,
  inspector: (thread: string) => `/inspector/${encodeURIComponent(thread)}`,
};

const MOVED = "forestage:moved";

/** Goes to an address of the app. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  window.dispatchEvent(new Event(MOVED));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("popstate", changed);
  window.addEventListener(MOVED, changed);
  return () => {
    window.removeEventListener("popstate", changed);
    window.removeEventListener(MOVED, changed);
  };
}

/** The present address. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.href);
  return useMemo(() => {
    const { pathname, hash, search } = new URL(address);
    return routeOf(pathname, hash, search);
  }, [address]);
}
