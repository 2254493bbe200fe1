export { a2uiActivities, a2uiTools } from "./slots.js";
export { A2uiSurface, type A2uiSurfaceProps } from "./surface.js";
