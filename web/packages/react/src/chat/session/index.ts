export { asOf } from "./as-of.js";
export { Session } from "./session.js";
export { Sessions } from "./sessions.js";
export { type CallRow, type Row, rowsOf, type Ways } from "./rows.js";
export type * from "./types.js";
export { useSessionState } from "./use-session-state.js";
