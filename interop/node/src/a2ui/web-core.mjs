// @ts-check
/**
 * `@a2ui/web_core` as a black box: what it says of messages, the data it keeps, and the tree that it would draw, with
 * every value worked out.
 * @typedef {{ type: string, [property: string]: any }} Node
 * @typedef {{ ok: boolean, error?: string, errors: string[], surfaces: { [id: string]: { model: any, tree: Node | null } } }} Shown
 */
import { A2uiMessageProcessor } from "@a2ui/web_core/v0_8";
import { BASIC_COMPONENTS, BASIC_FUNCTIONS, Catalog, MessageProcessor, NodeResolver, getValue } from "@a2ui/web_core/v0_9";

export const basic = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
export const minimal = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json";

// The package has no minimal catalog of its own; its documents use components of the basic one and `capitalize`.
const capitalize = {
  name: "capitalize",
  returnType: "string",
  schema: BASIC_FUNCTIONS[0].schema.passthrough().partial(),
  execute: (/** @type {any} */ { value }) => (value ? `${value}`.charAt(0).toUpperCase() + `${value}`.slice(1) : ""),
};

const few = ["Text", "Row", "Column", "Button", "TextField"];
const catalogs = [
  new Catalog(basic, BASIC_COMPONENTS, BASIC_FUNCTIONS),
  new Catalog(minimal, BASIC_COMPONENTS.filter(({ name }) => few.includes(name)), [capitalize]),
];

/** Messages of 0.9. @param {any[]} messages @returns {Shown} */
export function show(messages) {
  const processor = new MessageProcessor(catalogs);
  /** @type {string[]} */
  const errors = [];
  processor.onSurfaceCreated((surface) => {
    surface.onError.subscribe((/** @type {any} */ error) => { errors.push(error.code ?? error.message); });
  });
  const error = quietly(() => processor.processMessages(structuredClone(messages)));
  /** @type {Shown["surfaces"]} */
  const surfaces = {};
  quietly(() => {
    for (const [id, surface] of processor.model.surfacesMap) {
      surfaces[id] = { model: copy(surface.dataModel.get("/")), tree: null };
      const resolver = new NodeResolver(surface, surface.catalog);
      const root = getValue(resolver.rootNode);
      surfaces[id].tree = root ? plain(copy(root.toJSON())) : null;
      resolver.dispose();
    }
  });
  return { ok: error === undefined, error, errors, surfaces };
}

/** Messages of 0.8. @param {any[]} messages @returns {Shown} */
export function showOld(messages) {
  const processor = new A2uiMessageProcessor();
  const error = quietly(() => processor.processMessages(structuredClone(messages)));
  /** @type {Shown["surfaces"]} */
  const surfaces = {};
  for (const [id, surface] of processor.getSurfaces()) {
    const valueAt = (/** @type {any} */ node, /** @type {string} */ path) => copy(unmapped(processor.getData(node, path, id)));
    surfaces[id] = { model: copy(unmapped(surface.dataModel)), tree: oldNode(surface.componentTree, valueAt) };
  }
  return { ok: error === undefined, error, errors: [], surfaces };
}

/** Both processors complain on the console, too. @param {() => void} work @returns {string | undefined} */
function quietly(work) {
  const { error, warn } = console;
  console.error = console.warn = () => {};
  try {
    work();
    return undefined;
  } catch (thrown) {
    return `${/** @type {any} */ (thrown).message}`;
  } finally {
    Object.assign(console, { error, warn });
  }
}

/** @param {any} value */
const copy = (value) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** @param {any} value @returns {any} */
function unmapped(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, unmapped(inner)]));
  if (Array.isArray(value)) return value.map(unmapped);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unmapped(inner)]));
  }
  return value;
}

/** A resolved tree without the names of its nodes. @param {any} value @returns {any} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  const { instanceId, id, dataPath, isPlaceholder, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, plain(inner)]));
}

/** A node of 0.8 with its values put in. @param {any} node @param {(node: any, path: string) => any} valueAt @returns {any} */
function oldNode(node, valueAt) {
  if (node === null) return null;
  /** @param {any} value @returns {any} */
  const resolved = (value) => {
    if (Array.isArray(value)) return value.map(resolved);
    if (value === null || typeof value !== "object") return value;
    if (typeof value.type === "string" && value.properties !== undefined) return oldNode(value, valueAt);
    if (typeof value.path === "string") return valueAt(node, value.path);
    const literal = Object.keys(value).find((key) => key.startsWith("literal"));
    if (literal !== undefined) return value[literal];
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner)]));
  };
  const properties = Object.entries(node.properties).map(([key, value]) => [key, key === "action" ? "<Action>" : resolved(value)]);
  return { type: node.type, ...Object.fromEntries(properties) };
}
