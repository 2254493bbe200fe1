/** What of MCP Apps the chat can draw: pages that tools of MCP servers bring along. */
import type { ActivitySlot } from "../slots.js";

export const mcpAppActivities: ActivitySlot[] = [
  { activity: "mcp-apps", load: () => import("./activity.js").then((module) => module.McpAppActivity) },
];
