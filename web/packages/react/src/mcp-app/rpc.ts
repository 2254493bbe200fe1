/** JSON-RPC between windows: what a message is, and what is none. */
import { isObject } from "../its/schema.js";

export type Id = string | number;

export type Incoming =
  | { kind: "request"; id: Id; method: string; params: Record<string, unknown> }
  | { kind: "notification"; method: string; params: Record<string, unknown> }
  | { kind: "response"; id: Id };

/** Codes of JSON-RPC. */
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const REFUSED = -32000;

/** Why a request was not done. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The message in what a window sent, if it is one. Anybody can send anything. */
export function incoming(data: unknown): Incoming | undefined {
  if (!isObject(data) || data["jsonrpc"] !== "2.0") return undefined;
  const { id, method } = data;
  const isId = typeof id === "string" || typeof id === "number";
  if (typeof method !== "string") return isId ? { kind: "response", id } : undefined;
  const params = isObject(data["params"]) ? data["params"] : {};
  return isId ? { kind: "request", id, method, params } : { kind: "notification", method, params };
}
