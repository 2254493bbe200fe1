// @ts-check
/**
 * Example documents, damaged: one to three small changes, of the kind that models and bugs make. A case is a function of
 * one integer.
 * @typedef {{ seed: number, example: string, changes: string[], messages: any[] }} Case
 * @typedef {(messages: any[], random: Random) => void} Change
 */
import { Random } from "../random.mjs";

const words = ["", "body", "h1", "root", "mystery", "primary", "/a/b", "spaceBetween", "${/x}", "1"];
const values = [null, true, false, 0, -1, 2.5, "text", "", [], ["a"], {}, { path: "/a" }, { path: "name" }, { call: "required", args: { value: 1 } },
  { call: "nobody" }, { literalString: "old" }, { event: { name: "go" } }];
const paths = ["/", "", "/a", "/a/b", "/a/0", "/list/0/name", "/a~1b", "/a/", "//a", "name", "/items/-", "/items/2"];

/** @param {any[]} messages @returns {any[]} */
const components = (messages) => messages.flatMap((message) => message.updateComponents?.components ?? []);

/** Every object and list inside a value, itself included. @param {any} value @returns {any[]} */
function holders(value) {
  if (value === null || typeof value !== "object") return [];
  return [value, ...Object.values(value).flatMap(holders)];
}

/** @type {Record<string, Change>} */
const changes = {
  "drop a property": (messages, random) => {
    const holder = random.pick(components(messages));
    const names = Object.keys(holder);
    if (names.length > 0) delete holder[random.pick(names)];
  },
  "add a property": (messages, random) => {
    random.pick(components(messages))[random.pick(["colour", "text", "checks", "weight", "accessibility", "child"])] = random.pick(values);
  },
  "replace a value": (messages, random) => {
    const holder = random.pick(components(messages));
    holder[random.pick(Object.keys(holder).filter((name) => name !== "id" && name !== "component"))] = random.pick(values);
  },
  "replace something inside": (messages, random) => {
    const holder = random.pick(components(messages).flatMap((component) => holders(component).slice(1)));
    const names = Object.keys(holder);
    if (names.length > 0) holder[random.pick(names)] = random.pick([...values, ...words]);
  },
  "drop something inside": (messages, random) => {
    const holder = random.pick(components(messages).flatMap((component) => holders(component).slice(1)));
    const names = Object.keys(holder);
    if (names.length === 0) return;
    if (Array.isArray(holder)) holder.splice(random.int(holder.length), 1);
    else delete holder[random.pick(names)];
  },
  "another word": (messages, random) => {
    const holder = random.pick(components(messages));
    const names = Object.keys(holder).filter((name) => typeof holder[name] === "string" && name !== "id");
    if (names.length > 0) holder[random.pick(names)] = random.pick(words);
  },
  "another type": (messages, random) => {
    random.pick(components(messages)).component = random.pick(["Text", "Column", "Card", "Chart", "Icon", "text"]);
  },
  "drop a component": (messages, random) => {
    const message = random.pick(messages.filter((it) => it.updateComponents?.components?.length > 1));
    message.updateComponents.components.splice(random.int(message.updateComponents.components.length), 1);
  },
  "repeat a component": (messages, random) => {
    const list = random.pick(messages.filter((it) => it.updateComponents)).updateComponents.components;
    list.push(structuredClone(random.pick(list)));
  },
  "write data": (messages, random) => {
    const surfaceId = messages.find((it) => it.createSurface)?.createSurface.surfaceId ?? "s";
    const body = { surfaceId, path: random.pick(paths), value: random.pick(values.filter((it) => it === null || typeof it !== "object" || !("call" in it))) };
    messages.push({ version: "v0.9", updateDataModel: body });
  },
  "delete data": (messages, random) => {
    const surfaceId = messages.find((it) => it.createSurface)?.createSurface.surfaceId ?? "s";
    messages.push({ version: "v0.9", updateDataModel: { surfaceId, path: random.pick(paths) } });
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
  "another surface": (messages, random) => {
    const body = /** @type {any} */ (Object.values(random.pick(messages)).find((it) => typeof it === "object"));
    body.surfaceId = random.pick(["other", "", 7]);
  },
  "another catalog": (messages, random) => {
    const create = messages.find((it) => it.createSurface);
    if (create) create.createSurface.catalogId = random.pick(["acme", "https://a2ui.org/specification/v0_9/basic_catalog.json"]);
  },
};

/** @param {number} seed @param {import("./examples.mjs").Example[]} examples @returns {Case} */
export function mutated(seed, examples) {
  const random = new Random(seed);
  const example = random.pick(examples);
  const messages = structuredClone(example.messages);
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
  return { seed, example: example.name, changes: names, messages };
}
