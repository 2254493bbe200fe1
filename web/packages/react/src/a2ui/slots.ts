/** What of `a2ui` the chat can draw. */
import type { ActivitySlot } from "../slots.js";

export const a2uiActivities: ActivitySlot[] = [];
