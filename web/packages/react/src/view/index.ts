export { ViewPanel, type ViewPanelProps } from "./panel.js";
export { type Action, type View, readView } from "./read.js";
export { isSentForm } from "./sent.js";
export { A2UI_RENDER, viewActivities } from "./slots.js";
