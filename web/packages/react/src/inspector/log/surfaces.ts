/** The surfaces that a conversation shows, with their data models: read from its activities, so that they can be scrubbed, too. */
import type { Message } from "./fold/index.js";
import { isObject, type Json, type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.js";

export interface Surface {
  id: string;
  /** The message that draws it. */
  messageId: string;
  catalogId: string | null;
  components: readonly JsonObject[];
  dataModel: Json;
}

/** The surfaces of these messages, in the order in which they were drawn. */
export function surfacesOf(messages: readonly Message[]): Surface[] {
  const surfaces = new Map<string, Surface>();
  for (const message of messages) {
    if (message.role !== "activity") continue;
    for (const operation of objectsOf(objectOf(message, "content"), "a2ui_operations")) {
      take(surfaces, operation, message.id);
    }
  }
  return [...surfaces.values()];
}

function take(surfaces: Map<string, Surface>, operation: JsonObject, messageId: string): void {
  const name = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"].find((key) => key in operation);
  const body = name === undefined ? undefined : objectOf(operation, name);
  const id = textOf(body, "surfaceId");
  if (body === undefined || id === undefined) return;
  if (name === "deleteSurface") {
    surfaces.delete(id);
    return;
  }
  const held = surfaces.get(id) ?? { id, messageId, catalogId: null, components: [], dataModel: {} };
  surfaces.set(id, next(held, name, body));
}

function next(held: Surface, name: string | undefined, body: JsonObject): Surface {
  switch (name) {
    case "createSurface":
      return { ...held, catalogId: textOf(body, "catalogId") ?? null };
    case "updateComponents":
      return { ...held, components: merged(held.components, objectsOf(body, "components")) };
    default:
      return { ...held, dataModel: written(held.dataModel, pieces(textOf(body, "path")), body.value) };
  }
}

function merged(held: readonly JsonObject[], given: readonly JsonObject[]): JsonObject[] {
  const byId = new Map(held.map((component) => [component.id, component]));
  for (const component of given) byId.set(component.id, component);
  return [...byId.values()];
}

function pieces(path: string | undefined): string[] {
  return (path ?? "/").split("/").filter((piece) => piece !== "").map((piece) => piece.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A data model with a value written at a place; places on the way are made. */
function written(model: Json, path: string[], value: Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? {};
  if (Array.isArray(model)) {
    const at = Number(name);
    const items = [...model];
    items[at] = written(items[at] ?? {}, rest, value);
    return items;
  }
  const object = isObject(model) ? model : {};
  if (rest.length === 0 && value === undefined) {
    const { [name]: _gone, ...others } = object;
    return others;
  }
  return { ...object, [name]: written(object[name] ?? {}, rest, value) };
}

/** The components below one, by the members that name others. */
export function childrenOf(component: JsonObject): string[] {
  const named = [component.child, component.trigger, component.content].filter((child) => typeof child === "string");
  const listed = listOf(component, "children").filter((child) => typeof child === "string");
  const template = textOf(objectOf(component, "children"), "componentId");
  const tabs = objectsOf(component, "tabs").map((tab) => textOf(tab, "child"));
  return [...named, ...listed, template, ...tabs].filter((child): child is string => typeof child === "string");
}
