// @ts-check
/** What a client should have seen, made of what the reference saw; and what it did see, in the same shape. */
import { patch, promised } from "./clients.mjs";

/**
 * @typedef {import("./clients.mjs").Client} Client
 * @typedef {import("./matrix.mjs").Result} Result
 * @typedef {{
 *   messages: any[],
 *   results: any[],
 *   state: any,
 *   faults: string[],
 *   ends: string[],
 *   reasoning: string[],
 *   activities: string[],
 *   subagents: string[],
 *   questions: string[],
 *   questionTexts: string[],
 * }} Seen What is compared. Reasoning, activities, subagents and questions are counted however they came; `results` are
 *   the tool messages, which older clients append where 1.0.0 has them behind their calls.
 */

/** @param {Result} result @returns {Seen} */
export function seen(result) {
  // The ids of a run whose own id other threads have, too, are made longer by chance.
  const { messages, state, runs, fault } = JSON.parse(JSON.stringify(result).replaceAll(/-[0-9a-f]{32}-/g, "-"));
  const events = runs.map((/** @type {any} */ run) => run.events.map(original));
  // What came before somebody joined is not streamed to them, and when they join is a matter of luck.
  const own = events.filter((/** @type {any} */ _, /** @type {number} */ at) => !runs[at].followed);
  const all = own.flat();
  const kept = messages.filter(isTimeless).filter((/** @type {any} */ message) => !isQuestion(message));
  const drawn = all.filter((/** @type {any} */ { type }) => type === "ACTIVITY_SNAPSHOT").map((/** @type {any} */ { messageId }) => messageId);
  const shown = messages.filter((/** @type {any} */ { role }) => role === "activity").map((/** @type {any} */ { id }) => id);
  return {
    messages: kept.filter((/** @type {any} */ { role }) => role !== "tool"),
    results: kept.filter((/** @type {any} */ { role }) => role === "tool"),
    state,
    faults: [...(fault === undefined ? [] : [fault]), ...runs.flatMap((/** @type {any} */ run) => (refusalOf(run) ? [] : run.error ?? []))],
    ends: runs.map((/** @type {any} */ run) => refusalOf(run) ?? run.events.at(-1)?.type ?? "nothing"),
    reasoning: own.map(reasoningOf),
    activities: [...new Set([...drawn, ...shown])].sort(),
    subagents: all.filter((/** @type {any} */ { type }) => type === "SUBAGENT_STARTED").map((/** @type {any} */ { name }) => name),
    questions: events.flatMap(questionsOf),
    questionTexts: questionTextsOf(events.flat()),
  };
}

/** What a client with these promises makes of a conversation that the reference saw. @param {Seen} reference @param {Client} client @returns {Seen} */
export function asSeenBy(reference, client) {
  const { reasoning, activities, answers, media } = promised(client);
  const knows = (/** @type {any} */ { role }) =>
    (role !== "reasoning" || reasoning === "messages") && (role !== "activity" || activities === "messages");
  // Only the newest clients have a place for these in a message.
  const plain = (/** @type {any} */ { subagentRunId: _, metadata: __, ...message }) => message;
  const shown = (/** @type {any[]} */ messages) => (patch(client.version) >= 59 ? messages : messages.map(plain));
  return {
    ...reference,
    messages: shown(reference.messages.filter(knows)).map((message) => withMedia(message, media)),
    results: shown(reference.results),
    // Who states a version without questions may have no place for them but the conversation.
    questionTexts: answers === "command" && client.protocol !== null ? reference.questions : [],
  };
}

/** A picture in a message, as the line has it. @param {any} message @param {import("./clients.mjs").Promised["media"]} media */
function withMedia(message, media) {
  if (!Array.isArray(message.content) || media === "as they are") return message;
  if (media === "text only") return { ...message, content: message.content.map((/** @type {any} */ { text }) => text ?? "").join("") };
  const content = message.content.map((/** @type {any} */ part) => {
    return part.type === "text" ? part : { type: "binary", mimeType: part.source.mimeType, url: part.source.value };
  });
  return { ...message, content };
}

/** An event that a line does not know is in a RAW event, as it is. @param {any} event */
function original(event) {
  return event.type === "RAW" && event.source === "ag-ui/1.0" ? event.event : event;
}

/**
 * The code of a run that was refused: as an HTTP error, or as a run of nothing but an error for clients that do not look at
 * the status. @param {import("./visitor.mjs").Heard} run @returns {string | undefined}
 */
function refusalOf({ error, events }) {
  const [begin, end, ...others] = events;
  if (error?.startsWith("HTTP 4")) return /"code":"(\w+)"/.exec(error)?.[1];
  return begin?.type === "RUN_STARTED" && end?.type === "RUN_ERROR" && others.length === 0 ? end.code : undefined;
}

/** How many seconds were counted before a run was stopped is a matter of luck. @param {any} message */
function isTimeless({ content }) {
  return !/^It is second ([2-9]|\d\d)/.test(String(content));
}

/** Clients that are said to be older than questions have them as text, too. @param {any} message */
function isQuestion({ id }) {
  return id.startsWith("forestage-question-");
}

/** @param {any[]} events */
function reasoningOf(events) {
  const types = ["REASONING_MESSAGE_CONTENT", "THINKING_TEXT_MESSAGE_CONTENT"];
  return events.filter(({ type }) => types.includes(type)).map(({ delta }) => delta).join("");
}

/** What a run asks: in events of their own, or in its end alone. @param {any[]} events @returns {string[]} */
function questionsOf(events) {
  const asked = events.filter(({ type, name }) => type === "CUSTOM" && name === "on_interrupt").map(({ value }) => JSON.parse(value));
  const ended = events.at(-1)?.outcome?.interrupts ?? [];
  return (asked.length > 0 ? asked : ended).map((/** @type {any} */ { message }) => message);
}

/** What was asked in text, once each: while a run is streamed, or in the snapshot for somebody who joins. @param {any[]} events @returns {string[]} */
function questionTextsOf(events) {
  const streamed = events.filter(({ type }) => type === "TEXT_MESSAGE_CONTENT").map(({ messageId, delta }) => ({ id: messageId, content: delta }));
  const restated = events.filter(({ type }) => type === "MESSAGES_SNAPSHOT").flatMap(({ messages }) => messages);
  const texts = [...streamed, ...restated].filter(isQuestion).map(({ id, content }) => [id, content]);
  return [...new Map(texts).values()];
}
