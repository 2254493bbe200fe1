/** What of A2UI the chat can draw. The tools that draw are not drawn themselves: what they drew is. */
import type { ActivitySlot, ToolSlot } from "../slots.js";

export const a2uiActivities: ActivitySlot[] = [
  { activity: "a2ui-surface", load: () => import("./activity.js").then((module) => module.SurfaceActivity) },
];

const loadActed = () => import("./acted.js").then((module) => module.ActedNote);

export const a2uiTools: ToolSlot[] = [
  { tool: "log_a2ui_event", load: loadActed },
  { tool: "send_a2ui_json_to_client", load: loadActed, hidden: true },
  { tool: "render_a2ui", load: loadActed, hidden: true },
];
