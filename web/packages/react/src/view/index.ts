export { A2uiRenderer, type A2uiRendererProps } from "./renderer.js";
export { ViewPanel, type ViewPanelProps } from "./panel.js";
export { type Action, type View, readView } from "./read.js";
export { isSentForm } from "./sent.js";
export { A2UI_RENDER, viewActivities } from "./slots.js";
export {
  A2uiActionV1Schema,
  type A2uiActionV1,
  A2uiFieldV1Schema,
  type A2uiFieldV1,
  A2uiNodeV1Schema,
  type A2uiNodeV1,
  A2uiSchemaError,
  A2uiViewV1Schema,
  type A2uiViewV1,
  type Issue,
  type SafeParse,
} from "./schema.js";
