/**
 * A view in a chat. The server draws it as a surface, too, for those who know no views; its forms are sent as what was done
 * on that surface, and the view itself and what was sent are kept beside it.
 */
import { isObject } from "../its/schema.js";
import type { ActivitySlotProps } from "../slots.js";
import { ViewPanel } from "./panel.js";
import type { Action, Node } from "./read.js";

/** The surface that a view is drawn as. */
const SURFACE = "a2ui-view";

export function ViewActivity({ message, host, readOnly }: ActivitySlotProps) {
  const content = message.content as Record<string, unknown>;
  const acted = isObject(content["acted"]) ? content["acted"] : undefined;
  return (
    <ViewPanel
      view={content["view"]}
      acted={acted}
      readOnly={readOnly}
      onAction={(action) => host.act(propsOf(action, content))}
    />
  );
}

/** What was done, for a server that draws views as surfaces, and in the words of the contract. */
export function propsOf(a2uiAction: Action, content: Record<string, unknown>, timestamp = new Date().toISOString()): Record<string, unknown> {
  const { formId, values, type: name } = a2uiAction.action;
  const sourceComponentId = buttonOf(content["a2ui_operations"], formId);
  const context = { formId, values: { ...emptyValues(content["view"], formId), ...asTyped(values) } };
  return { a2uiAction: { userAction: { name, surfaceId: SURFACE, sourceComponentId, timestamp, context } }, uiContext: { a2uiAction } };
}

/** On a surface all that is typed is text, and a field that says nothing says so. */
function asTyped(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function emptyValues(view: unknown, formId: string): Record<string, string> {
  const fields = formsOf(at(view, ["root"])).find((form) => form.id === formId)?.fields ?? [];
  return Object.fromEntries(fields.map((field) => [field.name, ""]));
}

function formsOf(node: unknown): Extract<Node, { type: "form" }>[] {
  const found = node as Node | undefined;
  if (found?.type === "form") return [found];
  return found !== undefined && "children" in found ? found.children.flatMap(formsOf) : [];
}

/** The button that sends a form on the surface that its view is drawn as. */
export function buttonOf(operations: unknown, formId: string): string {
  const drawn = Array.isArray(operations) ? operations.flatMap(componentsOf) : [];
  const button = drawn.find((component) => at(component, ["action", "event", "context", "formId"]) === formId);
  return typeof button?.["id"] === "string" ? button["id"] : formId;
}

function componentsOf(operation: unknown): Record<string, unknown>[] {
  const components = at(operation, ["updateComponents", "components"]);
  return Array.isArray(components) ? components.filter(isObject) : [];
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inside, key) => (isObject(inside) ? inside[key] : undefined), value);
}
