/** What the content of an activity `a2ui-surface` says: what draws it, or how far it is. */

export type Content =
  | { kind: "drawn"; operations: unknown[] }
  | { kind: "building" }
  | { kind: "retrying"; attempt: number; maxAttempts: number; errors: string[] }
  | { kind: "failed"; error: string; errors: string[] };

export function readContent(content: Record<string, unknown>): Content {
  const operations = content["a2ui_operations"];
  if (Array.isArray(operations)) return { kind: "drawn", operations };
  const errors = sentences(content["errors"]);
  switch (content["status"]) {
    case "retrying":
      return { kind: "retrying", attempt: number(content["attempt"]), maxAttempts: number(content["maxAttempts"]), errors };
    case "failed":
      return { kind: "failed", error: typeof content["error"] === "string" ? content["error"] : "", errors };
    default:
      return { kind: "building" };
  }
}

/** Whether operations leave anything to see. A surface that was taken away does not. */
export function isGone(operations: unknown[]): boolean {
  return operations.every((operation) => typeof operation === "object" && operation !== null && "deleteSurface" in operation);
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function sentences(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: unknown) => {
    const { path, message } = (error ?? {}) as { path?: unknown; message?: unknown };
    if (typeof message !== "string") return [];
    return [typeof path === "string" && path !== "" ? `${path}: ${message}` : message];
  });
}
