// @ts-check
/**
 * JSON Patches (RFC 6902) for a known document: such that apply, and such that fail in
 * the middle, where nothing of the patch may remain.
 *
 * Left out: paths through `toString` and its like, array indices with leading zeros,
 * copies to the root from nowhere, and paths into a number or a string. The reference's
 * patch library reads all of them in a way RFC 6901/6902 forbids, which concerns that
 * library and not the protocol.
 * @typedef {import("../random.mjs").Random} Random
 * @typedef {{ op: string, path: string, from?: string, value?: any, [extra: string]: any }} Operation
 */
import { isDeepStrictEqual } from "node:util";
import { copy, json } from "./values.mjs";

/** A patch that applies to `document`, and the document after it. @param {Random} random @param {any} document */
export function applyingPatch(random, document) {
  const patch = [];
  let current = copy(document);
  for (let left = random.int(4); left > 0; left--) {
    const operation = operationFor(random, current);
    current = applyOperation(current, operation);
    patch.push(operation);
  }
  return { patch, document: current };
}

/** A patch of which at least one operation cannot apply. @param {Random} random @param {any} document @returns {Operation[]} */
export function failingPatch(random, document) {
  const { patch, document: current } = applyingPatch(random, document);
  const unequal = { op: "test", path: "", value: "not this" };
  return [...patch, !isContainer(current) ? unequal : random.pick([
    unequal,
    { op: "remove", path: "/no/such/place" },
    { op: "replace", path: "/nowhere", value: 1 },
    { op: "test", path: "/nowhere", value: null },
    { op: "move", from: "/nowhere", path: "/b" },
    { op: "copy", from: "/nowhere", path: "/b" },
    { op: "add", path: "/no/such/place", value: 1 },
  ])];
}

/** @param {Random} random @param {any} document @returns {Operation} */
function operationFor(random, document) {
  const places = pointersInto(document);
  const place = random.pick(places);
  const below = places.filter((pointer) => pointer !== "");
  const extra = random.chance(0.1) ? { note: "kept" } : {};
  const kinds = ["add", "add", "replace", "test"];
  if (below.length > 0) kinds.push("remove", "move", "copy");
  const op = random.pick(kinds);
  switch (op) {
    case "add":
      return { op, path: newPlace(random, document, places), value: json(random), ...extra };
    case "replace":
      return { op, path: place, value: json(random), ...extra };
    case "test":
      return { op, path: place, value: copy(valueAt(document, place)), ...extra };
    case "remove":
      return { op, path: random.pick(below), ...extra };
    case "move": {
      // A value cannot move into itself, so the target is a new member of the root or the old place.
      const from = random.pick(below);
      return { op, from, path: random.chance(0.3) ? from : rootMember(document, from), ...extra };
    }
    default:
      return { op, from: random.pick(below), path: newPlace(random, document, places), ...extra };
  }
}

/** A pointer at which `add` is possible. @param {Random} random @param {any} document @param {string[]} places */
function newPlace(random, document, places) {
  const containers = places.filter((pointer) => isContainer(valueAt(document, pointer)));
  if (containers.length === 0 || random.chance(0.05)) return "";
  const container = random.pick(containers);
  const value = valueAt(document, container);
  if (!Array.isArray(value)) return `${container}/${random.pick(["a", "b", "new", "m~0n", "a~1b", ""])}`;
  return `${container}/${random.chance(0.4) ? "-" : random.int(value.length + 1)}`;
}

/** @param {any} document @param {string} from */
function rootMember(document, from) {
  if (Array.isArray(document)) return from.split("/").length === 2 ? "/0" : "/-";
  return from.startsWith("/moved") ? from : "/moved";
}

/** @param {any} value */
function isContainer(value) {
  return typeof value === "object" && value !== null;
}

/** Every pointer that resolves in `document`, the root first. @param {any} document @param {string} [at] @returns {string[]} */
export function pointersInto(document, at = "") {
  if (!isContainer(document)) return [at];
  const keys = Array.isArray(document) ? document.map((_, index) => String(index)) : Object.keys(document);
  return [at, ...keys.flatMap((key) => pointersInto(document[key], `${at}/${escape(key)}`))];
}

/** @param {string} key */
const escape = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** @param {string} pointer */
const tokens = (pointer) => pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** @param {any} document @param {string} pointer @returns {any} */
export function valueAt(document, pointer) {
  return tokens(pointer).reduce((value, token) => value[token], document);
}

/** The document after the patch, or `undefined` where RFC 6902, by the letter, refuses it. @param {any} document @param {Operation[]} patch @returns {any} */
export function patched(document, patch) {
  try {
    return patch.reduce(applyOperation, copy(document));
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

class PatchError extends Error {}

/** @param {any} document @param {Operation} operation @returns {any} */
function applyOperation(document, { op, path, from = "", value }) {
  switch (op) {
    case "add":
      return insert(document, path, copy(value));
    case "replace":
      return path === "" ? copy(value) : insert(removeAt(document, path), path, copy(value));
    case "remove":
      return removeAt(document, path);
    case "move": {
      if (path.startsWith(`${from}/`)) throw new PatchError("a value cannot move into itself");
      const moved = existing(document, from);
      return insert(removeAt(document, from), path, moved);
    }
    case "copy":
      return insert(document, path, copy(existing(document, from)));
    default:
      if (!isDeepStrictEqual(existing(document, path), value)) throw new PatchError("the test fails");
      return document;
  }
}

/** @param {any} document @param {string} pointer @returns {any} */
function existing(document, pointer) {
  return tokens(pointer).reduce((container, key) => container[existingKey(container, key)], document);
}

/** @param {any} container @param {string} key */
function existingKey(container, key) {
  if (!isContainer(container) || !Object.hasOwn(container, key) || (Array.isArray(container) && !isIndex(key))) {
    throw new PatchError(`nothing at ${key}`);
  }
  return key;
}

/** @param {string} key */
const isIndex = (key) => /^(0|[1-9][0-9]*)$/.test(key);

/** @param {any} document @param {string} pointer @returns {[any, string]} the container and the key in it */
function slotOf(document, pointer) {
  const path = tokens(pointer);
  const key = path.pop() ?? "";
  return [path.reduce((container, each) => container[existingKey(container, each)], document), key];
}

/** @param {any} document @param {string} pointer @param {any} value */
function insert(document, pointer, value) {
  if (pointer === "") return value;
  const [container, key] = slotOf(document, pointer);
  if (!isContainer(container)) throw new PatchError("only objects and arrays have members");
  if (!Array.isArray(container)) container[key] = value;
  else if (key === "-") container.push(value);
  else if (isIndex(key) && Number(key) <= container.length) container.splice(Number(key), 0, value);
  else throw new PatchError(`${key} is no place in the array`);
  return document;
}

/** @param {any} document @param {string} pointer */
function removeAt(document, pointer) {
  // RFC 6902 does not say what is left when the root goes; the reference says null.
  if (pointer === "") return null;
  const [container, key] = slotOf(document, pointer);
  existingKey(container, key);
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
  return document;
}
