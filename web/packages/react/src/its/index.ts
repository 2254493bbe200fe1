export { itsTools } from "./slots.js";
