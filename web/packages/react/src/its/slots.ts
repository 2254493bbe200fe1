/** What of `its` the chat can draw. */
import type { ToolSlot } from "../slots.js";

export const itsTools: ToolSlot[] = [];
