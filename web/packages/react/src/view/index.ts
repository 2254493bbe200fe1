export { ViewPanel, type ViewPanelProps } from "./panel.js";
export { type Action, type View, readView } from "./read.js";
export { ACTION_MESSAGE, SentForm } from "./sent.js";
export { A2UI_RENDER, viewActivities } from "./slots.js";
