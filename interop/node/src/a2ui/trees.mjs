// @ts-check
/**
 * Trees that renderers of different versions draw, made comparable.
 * @typedef {import("./web-core.mjs").Node} Node
 */

/** What 0.8 has no words for: what is checked, and the labels of two inputs. */
const checked = ["checks", "isValid", "validationErrors"];
const unlabelled = ["DateTimeInput", "ChoicePicker"];

/** A tree of 0.9 without what 0.8 cannot say. @param {any} value @returns {any} */
export function asOldOnesSay(value) {
  if (Array.isArray(value)) return value.map(asOldOnesSay);
  if (value === null || typeof value !== "object") return value;
  const lost = unlabelled.includes(value.type) ? [...checked, "label"] : checked;
  const kept = Object.entries(value).filter(([name]) => typeof value.type !== "string" || !lost.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, asOldOnesSay(inner)]));
}

/** The types of a tree with the words and pictures that they show, however the version calls the rest. @param {any} node @returns {any} */
export function outline(node) {
  if (node === null || node === undefined) return null;
  const type = node.type === "MultipleChoice" ? "ChoicePicker" : node.type;
  const shown = ["text", "label", "url"].map((name) => node[name]).filter((value) => typeof value === "string" && type !== "TextField");
  const tabs = node.tabs ?? node.tabItems ?? [];
  const inside = [node.child, ...(node.children ?? []), node.trigger ?? node.entryPointChild, node.content ?? node.contentChild, ...tabs.map((/** @type {any} */ tab) => tab.child)];
  return { type, ...(unlabelled.includes(type) ? {} : { shown }), inside: inside.filter((child) => child !== undefined && child !== null).map(outline) };
}
