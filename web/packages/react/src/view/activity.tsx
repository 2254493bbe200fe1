/** A view in a chat. Sending its form says so in the conversation, with what was filled in beside it. */
import type { ActivitySlotProps } from "../slots.js";
import { ViewPanel } from "./panel.js";

export function ViewActivity({ message, host, readOnly }: ActivitySlotProps) {
  const { view } = message.content as { view?: unknown };
  return <ViewPanel view={view} readOnly={readOnly} onAction={(a2uiAction) => host.act({ uiContext: { a2uiAction } })} />;
}
