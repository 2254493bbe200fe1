export { type Fault, type Schema, faultsOf } from "./schema.js";
export { itsRenderers, itsTools } from "./slots.js";
