export { type Fault, type Schema, faultsOf } from "./schema.js";
export { PictureOrigins } from "./picture.js";
export { itsRenderers, itsTools } from "./slots.js";
