export { Gallery } from "./gallery.js";
