export { Api, ApiError, type ApiOptions, type Fault } from "./api.js";
export { ForestageAgent, type ForestageAgentOptions } from "./forestage-agent.js";
export { type Frame, framesOf } from "./frames.js";
export { Tail, type TailOptions, type TailStatus } from "./tail.js";
export type * from "./types.js";
