/** The addresses of the app, and moving between them without asking the server. */
import { useSyncExternalStore } from "react";

export type Route =
  | { page: "home" }
  | { page: "thread"; thread: string; message?: string }
  | { page: "inbox" }
  | { page: "gallery"; item?: string }
  | { page: "inspector"; thread: string }
  | { page: "unknown" };

/** What an address means. */
export function routeOf(path: string, hash = ""): Route {
  const [first, second, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "home" };
  if (first === "threads" && second !== undefined) {
    return hash.length > 1 ? { page: "thread", thread: second, message: decodeURIComponent(hash.slice(1)) } : { page: "thread", thread: second };
  }
  if (first === "inspector" && second !== undefined) return { page: "inspector", thread: second };
  if (first === "gallery") return second === undefined ? { page: "gallery" } : { page: "gallery", item: second };
  if (first === "inbox" && second === undefined) return { page: "inbox" };
  return { page: "unknown" };
}

export const paths = {
  home: "/",
  inbox: "/inbox",
  gallery: "/gallery",
  thread: (thread: string) => `/threads/${encodeURIComponent(thread)}`,
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
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.hash);
  const [path = "/", hash = ""] = address.split(/(?=#)/);
  return routeOf(path, hash);
}
