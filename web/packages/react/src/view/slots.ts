/** What of `view` the chat can draw. */
import type { ActivitySlot } from "../slots.js";

export const viewActivities: ActivitySlot[] = [];
