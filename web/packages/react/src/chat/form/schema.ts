/** The part of JSON Schema that forms are made of. Pure. */

export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  writeOnly?: boolean;
  readOnly?: boolean;
  /** Values with titles of their own, as `{ const, title }`. */
  oneOf?: Schema[];
  /** What a number counts, such as `EUR` or `kg`. */
  unit?: string;
  "x-unit"?: string;
}

export type FieldKind = "text" | "long" | "secret" | "number" | "boolean" | "choice" | "object" | "list" | "date" | "json";

/** How a value of this schema is asked for. What is not understood is asked for as JSON. */
export function kindOf(schema: Schema, value?: unknown): FieldKind {
  if (choicesOf(schema).length > 0) return "choice";
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  switch (type ?? typeOf(value)) {
    case "string":
      return textKind(schema, value);
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
      return schema.properties === undefined ? "json" : "object";
    case "array":
      return (schema.items?.type ?? "string") === "string" && schema.items?.enum === undefined ? "list" : "json";
    default:
      return "json";
  }
}

/** The values that can be chosen from, each with its title. */
export function choicesOf({ enum: values, oneOf = [] }: Schema): { value: unknown; title: string }[] {
  if (values !== undefined) return values.map((value) => ({ value, title: titleOf(value) }));
  const named = oneOf.filter((one) => one.const !== undefined);
  return named.length < oneOf.length ? [] : named.map(({ const: value, title }) => ({ value, title: title ?? titleOf(value) }));
}

/** A value that is a word is written as one: `next_day` is "Next day". Anything else is shown as it is. */
function titleOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/.test(value) ? labelOf(value, {}) : value;
}

function textKind(schema: Schema, value: unknown): FieldKind {
  if (schema.writeOnly === true || schema.format === "password") return "secret";
  if (schema.format === "date") return "date";
  if (schema.format === "multiline" || schema.format === "markdown") return "long";
  const long = (typeof value === "string" && (value.length > 80 || value.includes("\n"))) || (schema.maxLength ?? 0) > 200;
  return long || /\b(body|text|message|content|description|notes?)\b/i.test(schema.title ?? "") ? "long" : "text";
}

function typeOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? "array" : typeof value;
}

/** A schema that describes a value, for arguments that come without one. */
export function schemaFor(value: unknown): Schema {
  if (Array.isArray(value)) return { type: "array", ...(value.every((one) => typeof one === "string") ? { items: { type: "string" } } : { items: {} }) };
  if (typeof value !== "object" || value === null) return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaFor(one)]));
  return { type: "object", properties, required: Object.keys(properties) };
}

/** What stands in a form before anybody has written into it. */
export function initialOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (kindOf(schema) !== "object") return kindOf(schema) === "list" ? [] : undefined;
  const entries = Object.entries(schema.properties ?? {}).map(([name, one]): [string, unknown] => [name, initialOf(one)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export interface Complaint {
  /** Where, as a JSON pointer. */
  path: string;
  kind: "missing" | "type" | "least" | "most" | "short" | "long" | "pattern" | "server";
  limit?: number;
  message?: string;
}

/** What a form can see of what is wrong; the server checks the whole schema. */
export function complaintsOf(schema: Schema, value: unknown, path = ""): Complaint[] {
  if (value === undefined || value === "") return path === "" ? [{ path, kind: "missing" }] : [];
  if (typeof value === "number") {
    if (Number.isNaN(value) || (schema.type === "integer" && !Number.isInteger(value))) return [{ path, kind: "type" }];
    if (schema.minimum !== undefined && value < schema.minimum) return [{ path, kind: "least", limit: schema.minimum }];
    if (schema.maximum !== undefined && value > schema.maximum) return [{ path, kind: "most", limit: schema.maximum }];
  }
  if (typeof value === "string") {
    if (schema.minLength !== undefined && value.length < schema.minLength) return [{ path, kind: "short", limit: schema.minLength }];
    if (schema.maxLength !== undefined && value.length > schema.maxLength) return [{ path, kind: "long", limit: schema.maxLength }];
  }
  if (schema.properties === undefined || typeof value !== "object" || value === null) return [];
  const members = value as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((name) => members[name] === undefined || members[name] === "");
  const inside = Object.entries(schema.properties).flatMap(([name, one]) => complaintsOf(one, members[name], `${path}/${name}`));
  return [...missing.map((name): Complaint => ({ path: `${path}/${name}`, kind: "missing" })), ...inside];
}

/** A member's name as a label: `dueDate` and `due_date` are "Due date". */
export function labelOf(name: string, schema: Schema): string {
  if (schema.title !== undefined) return schema.title;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_-]+/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
