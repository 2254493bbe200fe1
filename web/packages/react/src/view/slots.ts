/**
 * What of `a2ui.v1` the chat can draw. On our server a view is an activity `a2ui-surface` with the view in its content, and
 * `a2ui/activity.tsx` hands it over; another server may make an activity of the event itself.
 */
import type { ActivitySlot } from "../slots.js";

/** The event with which an agent shows a view. */
export const A2UI_RENDER = "A2UI_RENDER";

export const viewActivities: ActivitySlot[] = [
  { activity: A2UI_RENDER, load: () => import("./activity.js").then((module) => module.ViewActivity) },
];
