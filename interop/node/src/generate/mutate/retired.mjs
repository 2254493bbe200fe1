// @ts-check
/**
 * Shapes from before 1.0 that a client still understands: THINKING events, `binary`
 * parts, and the nulls older parsers let pass.
 * @typedef {import("./index.mjs").Mutation} Mutation
 * @typedef {import("../../random.mjs").Random} Random
 */
import { copy, elements, isObject } from "../values.mjs";

/** @type {Mutation[]} */
export const mutations = [
  { name: "thinking", weight: 3, mutate: (random, stream) => {
    const events = random.chance(0.7) ? thinkingSpan(random) : [random.pick(thinkingSpan(random))];
    // Spread out, so that other events come between; the order among them stays.
    let at = random.int(stream.length);
    for (const event of events) {
      at = Math.min(at + 1 + random.int(2), stream.length);
      stream.splice(at, 0, event);
    }
  } },
  { name: "binary part", weight: 3, mutate: (random, stream) => {
    const lists = stream.flatMap(contentCarriers);
    const target = lists.length > 0 && random.chance(0.6) ? random.pick(lists) : newCarrier(random, stream);
    const part = binaryPart(random);
    target.content.splice(random.int(target.content.length + 1), 0, part);
    // A producer may send both spellings of one attachment; it must not appear twice.
    if (random.chance(0.2) && part.data) target.content.push(modernTwin(random, part));
  } },
  { name: "legacy null", weight: 3, mutate: (random, stream) => {
    const { field, on } = random.pick(legacyNulls);
    const carriers = stream.filter(isObject).flatMap(on).filter(isObject);
    if (carriers.length > 0) random.pick(carriers)[field] = null;
  } },
];

/** @param {Random} random */
function thinkingSpan(random) {
  return copy([
    { type: "THINKING_START", ...(random.chance(0.5) && { title: "Working" }) },
    { type: "THINKING_TEXT_MESSAGE_START" },
    { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "hm" },
    { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "" },
    { type: "THINKING_TEXT_MESSAGE_END" },
    { type: "THINKING_END" },
  ]);
}

/** @param {Random} random @returns {Record<string, any>} */
function binaryPart(random) {
  return {
    type: "binary",
    mimeType: random.pick(["image/png", "audio/wav", "video/mp4", "application/pdf", ""]),
    ...(random.chance(0.5) && { data: "aGk=" }),
    ...(random.chance(0.4) && { url: "https://example.org/a" }),
    ...(random.chance(0.3) && { id: "b1" }),
    ...(random.chance(0.3) && { filename: "a.png" }),
  };
}

/** @param {Random} random @param {Record<string, any>} part */
function modernTwin(random, { mimeType, data, filename }) {
  const type = /^(image|audio|video)\//.exec(mimeType)?.[1] ?? "document";
  return { type, source: { type: "data", value: data, mimeType }, ...(filename && random.chance(0.6) && { metadata: { filename } }) };
}

/** A snapshot with one user message, to hold a part. @param {Random} random @param {any[]} stream */
function newCarrier(random, stream) {
  const message = { id: "with-binary", role: "user", content: [] };
  stream.splice(random.between(Math.min(1, stream.length), stream.length), 0, { type: "MESSAGES_SNAPSHOT", messages: [message] });
  return message;
}

/** What holds a list of parts in this event: itself or its messages. @param {any} event @returns {any[]} */
function contentCarriers(event) {
  return [event, ...elements(event?.messages), ...elements(event?.input?.messages)].filter((each) => Array.isArray(each?.content));
}

/** @param {string} list @returns {(event: any) => any[]} */
const inputList = (list) => (event) => elements(event.input?.[list]);

/** @type {{ field: string, on: (event: any) => any[] }[]} */
const legacyNulls = [
  { field: "parentMessageId", on: (event) => (["TOOL_CALL_START", "TOOL_CALL_CHUNK"].includes(event.type) ? [event] : []) },
  { field: "outcome", on: (event) => (event.type === "RUN_FINISHED" ? [event] : []) },
  { field: "result", on: (event) => (["RUN_FINISHED", "SUBAGENT_FINISHED"].includes(event.type) ? [event] : []) },
  { field: "rawEvent", on: (event) => [event] },
  { field: "metadata", on: (event) => contentCarriers(event).flatMap(({ content }) => content) },
  { field: "forwardedProps", on: (event) => (event.input ? [event.input] : []) },
  { field: "state", on: (event) => (event.input ? [event.input] : []) },
  { field: "parameters", on: inputList("tools") },
  { field: "payload", on: inputList("resume") },
];
