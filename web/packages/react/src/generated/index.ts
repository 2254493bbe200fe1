/** What is generated from Rust: see `crates/its/tests/typescript.rs`. */
export type * from "./its.js";
export { examples } from "./its-examples.js";
export { schemas } from "./its-schema.js";
