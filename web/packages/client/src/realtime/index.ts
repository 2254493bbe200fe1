export * from "./events.js";
export { REALTIME_UNAUTHORISED, RealtimeClient, type RealtimeClientOptions } from "./client.js";
