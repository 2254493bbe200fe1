/** One thing that a session knows. Whoever reads it is drawn anew when that changes, and not with every word. */
import { useSyncExternalStore } from "react";
import type { Session } from "./session.js";
import type { SessionState } from "./types.js";

export function useSessionState<T>(session: Session, pick: (state: SessionState) => T): T {
  return useSyncExternalStore(session.subscribe, () => pick(session.getState()));
}
