/** Everything that the chat of this app can draw besides words. */
import { slotsOf } from "@forestage/react";
import { a2uiActivities, a2uiTools } from "@forestage/react/a2ui/slots";
import { itsTools } from "@forestage/react/its/slots";
import { mcpAppActivities } from "@forestage/react/mcp-app/slots";
import { viewActivities } from "@forestage/react/view/slots";

export const slots = slotsOf({ tools: itsTools }, { activities: a2uiActivities, tools: a2uiTools }, { activities: [...viewActivities, ...mcpAppActivities] });
