/**
 * The blocks of a code assessment. Their model is free; read of it are `blocks`, `items` or `draggables`, a list of ids or
 * of objects with an `id`, and `correct_order`, as the server reads them.
 */
import { isObject } from "./schema.js";

export interface Block {
  id: string;
  code: string;
}

/** The blocks, in the order in which they are given. */
export function blocksOf(model: Record<string, unknown> | undefined): Block[] {
  const list = ["blocks", "items", "draggables"].map((name) => model?.[name]).find((found) => Array.isArray(found));
  return Array.isArray(list) ? list.flatMap(block) : [];
}

function block(value: unknown): Block[] {
  if (typeof value === "string") return [{ id: value, code: value }];
  if (!isObject(value) || typeof value["id"] !== "string") return [];
  const code = ["code", "content", "text", "label"].map((name) => value[name]).find((found) => typeof found === "string");
  return [{ id: value["id"], code: typeof code === "string" ? code : value["id"] }];
}

/** The key, if the model has one. */
export function correctOrder(model: Record<string, unknown> | undefined): string[] | undefined {
  const order = model?.["correct_order"];
  return Array.isArray(order) && order.every((id) => typeof id === "string") ? order : undefined;
}

/** A list with one of its members elsewhere. */
export function moved(ids: string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id);
  const at = Math.min(Math.max(to, 0), others.length);
  return [...others.slice(0, at), id, ...others.slice(at)];
}
