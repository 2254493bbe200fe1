/** What of `a2ui.v1` the chat can draw: an activity whose content has a `view`. */
import type { ActivitySlot } from "../slots.js";

/** The event with which an agent shows a view, and so the kind of the activity that it is in the chat. */
export const A2UI_RENDER = "A2UI_RENDER";

export const viewActivities: ActivitySlot[] = [
  { activity: A2UI_RENDER, load: () => import("./activity.js").then((module) => module.ViewActivity) },
];
