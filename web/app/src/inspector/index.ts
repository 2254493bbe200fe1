export { InspectorFrame, type InspectorFrameProps } from "./frame.js";
export { openWindow } from "./window.js";
