/**
 * Views of `a2ui.v1` and what is done with them, read from JSON as the server reads it: everything that is wrong is told,
 * with its place, and what is wrong is not shown.
 */

export interface View {
  kind: "a2ui.v1";
  viewId: string;
  title?: string;
  root: Node;
}

export type Node =
  | { type: "screen"; children: Node[] }
  | { type: "section"; title?: string; children: Node[] }
  | { type: "text"; text: string }
  | { type: "form"; id: string; fields: Field[]; submitLabel?: string };

export type Field =
  | { type: "field.text"; name: string; label: string; required?: boolean; value?: string }
  | { type: "field.number"; name: string; label: string; required?: boolean; value?: number };

/** A form was sent. */
export interface Action {
  kind: "a2ui.action.v1";
  viewId: string;
  action: { type: "form.submit"; formId: string; values: Record<string, unknown> };
}

export interface Fault {
  path: string;
  message: string;
}

export type Read = { view: View; faults?: undefined } | { view?: undefined; faults: Fault[] };

/** So deep nodes may lie in each other, and so many there may be; the server says the same. */
const MAX_DEPTH = 32;
const MAX_NODES = 2000;

export function readView(value: unknown): Read {
  const reader = new Reader();
  reader.view(value);
  return reader.faults.length > 0 ? { faults: reader.faults } : { view: value as View };
}

/** Reads parts of a view, and gathers what is wrong with them. */
export class Reader {
  readonly faults: Fault[] = [];
  private nodes = 0;

  view(value: unknown): void {
    const object = this.object(value, "");
    if (object === undefined) return;
    if (object["kind"] !== "a2ui.v1") this.add("kind", 'is not "a2ui.v1"');
    this.text(object, "viewId", "", "needed");
    this.text(object, "title", "", "optional");
    this.node(object["root"], "root", 1);
  }

  node(value: unknown, path: string, depth: number): void {
    if (depth > MAX_DEPTH) return this.add(path, `lies deeper than ${MAX_DEPTH} nodes`);
    const object = this.counted(value, path);
    switch (object?.["type"]) {
      case "screen":
        return this.each(object["children"], `${path}.children`, (child, at) => this.node(child, at, depth + 1));
      case "section":
        this.text(object, "title", path, "optional");
        return this.each(object["children"], `${path}.children`, (child, at) => this.node(child, at, depth + 1));
      case "text":
        return this.text(object, "text", path, "any");
      case "form":
        this.text(object, "id", path, "needed");
        this.text(object, "submitLabel", path, "optional");
        return this.each(object["fields"], `${path}.fields`, (field, at) => this.field(field, at));
      default:
        if (object !== undefined) this.add(`${path}.type`, "is none of screen, section, text, form");
    }
  }

  field(value: unknown, path: string): void {
    const object = this.counted(value, path);
    if (object === undefined) return;
    const { type, required, value: initial } = object;
    if (type !== "field.text" && type !== "field.number") return this.add(`${path}.type`, "is none of field.text, field.number");
    this.text(object, "name", path, "needed");
    this.text(object, "label", path, "needed");
    if (required !== undefined && typeof required !== "boolean") this.add(`${path}.required`, "is not true or false");
    const wanted = type === "field.text" ? "string" : "number";
    if (initial !== undefined && typeof initial !== wanted) this.add(`${path}.value`, `is not a ${wanted}`);
  }

  private counted(value: unknown, path: string): Record<string, unknown> | undefined {
    this.nodes += 1;
    if (this.nodes === MAX_NODES + 1) this.add(path, `a view has at most ${MAX_NODES} nodes and fields`);
    return this.nodes > MAX_NODES ? undefined : this.object(value, path);
  }

  object(value: unknown, path: string): Record<string, unknown> | undefined {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    this.add(path, "is not an object");
    return undefined;
  }

  private each(value: unknown, path: string, read: (item: unknown, path: string) => void): void {
    if (!Array.isArray(value)) return this.add(path, "is not a list");
    for (const [at, item] of value.entries()) read(item, `${path}[${at}]`);
  }

  text(object: Record<string, unknown>, name: string, path: string, need: "needed" | "any" | "optional"): void {
    const value = object[name];
    if (value === undefined && need === "optional") return;
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof value !== "string") this.add(at, "is not a text");
    else if (value === "" && need === "needed") this.add(at, "is empty");
  }

  add(path: string, message: string): void {
    this.faults.push({ path, message });
  }
}
