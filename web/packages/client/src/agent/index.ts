export { Api, ApiError, type ApiOptions, type Fault } from "./api.js";
export type * from "./types.js";
