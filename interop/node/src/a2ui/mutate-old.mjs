// @ts-check
/**
 * Documents of 0.8, damaged: one to three small changes, of the kind that models make who know 0.9, too. A case is a
 * function of one integer.
 * @typedef {import("./mutate.mjs").Case} Case
 * @typedef {(messages: any[], random: Random) => void} Change
 */
import { Random } from "../random.mjs";

const values = [null, true, 0, -1, 2.5, "text", "", [], ["a"], {}, { path: "/a" }, { path: "name" }, { literalString: "x" }, { literal: "x" },
  { literalString: "x", path: "/x" }, { literalNumber: 1 }, { literalBoolean: true }, { literalArray: ["a"] }, { explicitList: [] }, { name: "go" }];
const icons = ["home", "warning", "play", "unicorn", "Home", ""];
const styles = [{}, { font: "Roboto" }, { primaryColor: "#00BFFF" }, { primaryColor: "#0BF" }, { primaryColor: "red" }, { primaryColor: 7 },
  { accent: "#00BFFF" }, { font: "Roboto", primaryColor: "#00bfff" }];
const entries = [{ key: "a", valueString: "x" }, { key: "a", valueNumber: 1 }, { key: "a", valueBoolean: false }, { key: "a", valueMap: [] },
  { key: "a", valueMap: [{ key: "b", valueString: "x" }] }, { key: "list", valueString: "[1, 2]" }];

/** @param {any[]} messages @returns {any[]} */
const components = (messages) => messages.flatMap((message) => message.surfaceUpdate?.components ?? []);

/** @param {any} component @returns {any} */
const properties = (component) => Object.values(component.component)[0];

/** Every object inside a value, itself included. @param {any} value @returns {any[]} */
function holders(value) {
  if (value === null || typeof value !== "object") return [];
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(holders)];
}

/** @type {Record<string, Change>} */
const changes = {
  "one more member": (messages, random) => {
    random.pick(holders(messages))[random.pick(["extra", "theme", "root"])] = random.pick(values);
  },
  "drop a property": (messages, random) => {
    const holder = properties(random.pick(components(messages)));
    delete holder[random.pick(Object.keys(holder))];
  },
  "replace a value": (messages, random) => {
    const holder = properties(random.pick(components(messages)));
    holder[random.pick(Object.keys(holder))] = random.pick(values);
  },
  "drop something inside": (messages, random) => {
    const holder = random.pick(components(messages).flatMap((component) => holders(properties(component)).slice(1)));
    delete holder[random.pick(Object.keys(holder))];
  },
  "another icon": (messages, random) => {
    random.pick(components(messages)).component = { Icon: { name: { literalString: random.pick(icons) } } };
  },
  "another type": (messages, random) => {
    random.pick(components(messages)).component = random.pick([{ Chart: {} }, { Divider: {} }, { Tabs: { tabItems: [] } }, {},
      { Slider: { value: { literalNumber: 1 } } }, { MultipleChoice: { selections: { literalArray: [] }, options: [] } },
      { TextField: { label: { literalString: "x" }, textFieldType: "date" } }, { DateTimeInput: { value: { path: "/when" } } }]);
  },
  "another weight": (messages, random) => {
    random.pick(components(messages)).weight = random.pick([1, 2.5, "1"]);
  },
  "another style": (messages, random) => {
    random.pick(messages.filter((it) => it.beginRendering)).beginRendering.styles = random.pick(styles);
  },
  "another root": (messages, random) => {
    random.pick(messages.filter((it) => it.beginRendering)).beginRendering.root = random.pick(["nobody", "", 7]);
  },
  "drop a component": (messages, random) => {
    const list = random.pick(messages.filter((it) => it.surfaceUpdate?.components.length > 1)).surfaceUpdate.components;
    list.splice(random.int(list.length), 1);
  },
  "write data": (messages, random) => {
    const surfaceId = messages.find((it) => it.beginRendering)?.beginRendering.surfaceId ?? "s";
    const path = random.pick([undefined, "/", "/a", "/a/b", "form"]);
    const body = { surfaceId, ...(path === undefined ? {} : { path }), contents: [structuredClone(random.pick(entries))] };
    messages.push({ dataModelUpdate: body });
  },
  "drop a message": (messages, random) => {
    messages.splice(random.int(messages.length), 1);
  },
  "turn two messages round": (messages, random) => {
    const at = random.int(messages.length - 1);
    messages.splice(at, 2, messages[at + 1], messages[at]);
  },
  "repeat a message": (messages, random) => {
    messages.push(structuredClone(random.pick(messages)));
  },
};

/** @param {number} seed @param {any[][]} documents @returns {Case} */
export function mutatedOld(seed, documents) {
  const random = new Random(seed);
  const at = random.int(documents.length);
  const messages = structuredClone(documents[at]);
  const names = [];
  for (let left = random.between(0, 3); left > 0; left -= 1) {
    const name = random.pick(Object.keys(changes));
    try {
      changes[name](messages, random);
      names.push(name);
    } catch {
      // Some changes find nothing to change.
    }
  }
  return { seed, example: `document ${at}`, changes: names, messages };
}
