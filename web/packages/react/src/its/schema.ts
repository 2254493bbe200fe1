/**
 * Whether a value has the shape that a schema asks for. The schemas are those of the components, which use few words of
 * JSON Schema; this reads these and no others. The server has checked everything before; this keeps a page whole that
 * talks to another one.
 */

/** As much of JSON Schema as the components use. */
export interface Schema {
  type?: string;
  description?: string;
  format?: string;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean;
}

/** What is wrong, and where. */
export interface Fault {
  path: string;
  message: string;
}

/** Everything in which a value differs from a schema. */
export function faultsOf(schema: Schema, value: unknown, path = ""): Fault[] {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [{ path, message: `is none of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}` }];
  }
  if (schema.type !== undefined && !isOf(schema.type, value)) {
    return [{ path, message: `is ${kindOf(value)} and has to be ${schema.type}` }];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, at) => faultsOf(items, item, `${path}/${at}`));
  }
  return isObject(value) ? faultsOfMembers(schema, value, path) : [];
}

function faultsOfMembers(schema: Schema, value: Record<string, unknown>, path: string): Fault[] {
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined);
  const present = Object.entries(schema.properties ?? {}).filter(([name]) => value[name] !== undefined);
  return [
    ...missing.map((name) => ({ path: `${path}/${name}`, message: "is missing" })),
    ...present.flatMap(([name, member]) => faultsOf(member, value[name], `${path}/${name}`)),
  ];
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return kindOf(value) === type;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === "object";
}
