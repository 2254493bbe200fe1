/**
 * A view in a chat. The server draws it as a surface, too, for those who know no views; its forms are sent as what was done
 * on that surface, and the view itself and what was sent are kept beside it.
 */
import { isObject } from "../its/schema.js";
import type { ActivitySlotProps } from "../slots.js";
import { ViewPanel } from "./panel.js";
import type { Action } from "./read.js";

/** The surface that a view is drawn as. */
const SURFACE = "a2ui-view";

export function ViewActivity({ message, host, readOnly }: ActivitySlotProps) {
  const { view, acted } = message.content as { view?: unknown; acted?: unknown };
  return <ViewPanel view={view} acted={isObject(acted) ? acted : undefined} readOnly={readOnly} onAction={(action) => host.act(propsOf(action))} />;
}

/** What was done, for a server that draws views as surfaces, and in the words of the contract. */
export function propsOf(a2uiAction: Action, timestamp = new Date().toISOString()): Record<string, unknown> {
  const { formId, values } = a2uiAction.action;
  const userAction = { name: a2uiAction.action.type, surfaceId: SURFACE, sourceComponentId: formId, timestamp, context: { formId, values } };
  return { a2uiAction: { userAction }, uiContext: { a2uiAction } };
}
