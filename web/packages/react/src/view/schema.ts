/**
 * The run-time check of views and actions, with the names and the ways of the contract: `safeParse` says whether it is one,
 * `parse` throws. What is wrong is told all at once, each issue with its path; members that nobody knows are left out of the
 * data. Beside the contract's rules there are two limits, as on the server: 32 nodes deep, 2000 nodes and fields.
 */
import { isObject } from "../its/schema.js";
import { type Action, type Fault, type Field, type Node, Reader, type View } from "./read.js";

export type { Action as A2uiActionV1, Field as A2uiFieldV1, Node as A2uiNodeV1, View as A2uiViewV1 } from "./read.js";

export interface Issue {
  path: (string | number)[];
  message: string;
}

/** Everything that is wrong with a value. */
export class A2uiSchemaError extends Error {
  override readonly name = "A2uiSchemaError";

  constructor(readonly issues: Issue[]) {
    super(issues.map(({ path, message }) => `${path.length === 0 ? "it" : path.join(".")} ${message}`).join("; "));
  }
}

export type SafeParse<T> = { success: true; data: T } | { success: false; error: A2uiSchemaError };

export interface Schema<T> {
  safeParse(value: unknown): SafeParse<T>;
  parse(value: unknown): T;
}

type Members = Record<string, unknown>;

const FIELD = ["type", "name", "label", "required", "value"];
const NODE: Record<string, string[]> = {
  screen: ["type", "children"],
  section: ["type", "title", "children"],
  text: ["type", "text"],
  form: ["type", "id", "fields", "submitLabel"],
};

export const A2uiFieldV1Schema: Schema<Field> = schema((reader, value) => reader.field(value, ""), fieldOf);

export const A2uiNodeV1Schema: Schema<Node> = schema((reader, value) => reader.node(value, "", 1), nodeOf);

export const A2uiViewV1Schema: Schema<View> = schema(
  (reader, value) => reader.view(value),
  (view) => ({ ...only(view, ["kind", "viewId", "title"]), root: nodeOf(view["root"] as Members) }) as View,
);

export const A2uiActionV1Schema: Schema<Action> = schema(action, (value) => {
  const done = only(value["action"] as Members, ["type", "formId", "values"]);
  return { ...only(value, ["kind", "viewId"]), action: done } as unknown as Action;
});

function schema<T>(check: (reader: Reader, value: unknown) => void, data: (value: Members) => T): Schema<T> {
  const safeParse = (value: unknown): SafeParse<T> => {
    const reader = new Reader();
    check(reader, value);
    if (reader.faults.length > 0) return { success: false, error: new A2uiSchemaError(reader.faults.map(issueOf)) };
    return { success: true, data: data(value as Members) };
  };
  const parse = (value: unknown): T => {
    const read = safeParse(value);
    if (!read.success) throw read.error;
    return read.data;
  };
  return { safeParse, parse };
}

function action(reader: Reader, value: unknown): void {
  const object = reader.object(value, "");
  if (object === undefined) return;
  if (object["kind"] !== "a2ui.action.v1") reader.add("kind", 'is not "a2ui.action.v1"');
  reader.text(object, "viewId", "", "needed");
  const done = reader.object(object["action"], "action");
  if (done === undefined) return;
  if (done["type"] !== "form.submit") reader.add("action.type", 'is not "form.submit"');
  reader.text(done, "formId", "action", "needed");
  if (!isObject(done["values"])) reader.add("action.values", "is not an object");
}

function nodeOf(node: Members): Node {
  const read = only(node, NODE[String(node["type"])] ?? []);
  if (Array.isArray(read["children"])) read["children"] = read["children"].map(nodeOf);
  if (Array.isArray(read["fields"])) read["fields"] = read["fields"].map(fieldOf);
  return read as unknown as Node;
}

function fieldOf(field: Members): Field {
  return only(field, FIELD) as unknown as Field;
}

function only(object: Members, names: string[]): Members {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}

/** `root.children[0].text` as `["root", "children", 0, "text"]`. */
function issueOf({ path, message }: Fault): Issue {
  const names = path.match(/[^.[\]]+/g) ?? [];
  return { path: names.map((name) => (/^\d+$/.test(name) ? Number(name) : name)), message };
}
