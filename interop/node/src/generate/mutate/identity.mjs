// @ts-check
/**
 * Damage to identity: another owner, another id, an opener's field contradicted.
 * @typedef {import("./index.mjs").Mutation} Mutation
 */
import { copy } from "../values.mjs";

const idFields = ["messageId", "toolCallId", "parentMessageId", "entityId", "stepName", "parentSubagentRunId"];

/** @type {Mutation[]} */
export const mutations = [
  { name: "retag", weight: 5, mutate: (random, stream) => {
    const event = random.pick(stream);
    const tags = ["s-other", "s-unannounced", "", ...stream.flatMap((each) => each.subagentRunId ?? [])];
    event.subagentRunId = random.pick(tags);
  } },
  { name: "untag", weight: 1.5, mutate: (random, stream) => {
    const tagged = stream.filter((event) => event.subagentRunId !== undefined);
    if (tagged.length > 0) delete random.pick(tagged).subagentRunId;
  } },
  { name: "change an id", weight: 4, mutate: (random, stream) => {
    const field = random.pick(idFields);
    const carriers = stream.filter((event) => event[field] !== undefined);
    if (carriers.length === 0) return;
    // An empty id is an id, but the reference takes an empty parent for none, as JavaScript does.
    const empty = field === "parentMessageId" ? [] : [""];
    random.pick(carriers)[field] = random.pick(["changed", ...empty, ...carriers.map((event) => event[field])]);
  } },
  { name: "reopen as another", weight: 2, mutate: (random, stream) => {
    const openers = stream.flatMap((event, index) => (String(event.type).endsWith("_START") ? [index] : []));
    if (openers.length === 0) return;
    const at = random.pick(openers);
    const messages = stream.flatMap(({ messageId }) => messageId || []);
    stream.splice(random.between(at + 1, stream.length), 0, {
      ...copy(stream[at]),
      subagentRunId: random.pick(["s-other", "s-unannounced", undefined, undefined]),
      ...(stream[at].type === "TOOL_CALL_START" && messages.length > 0 && { parentMessageId: random.pick(messages) }),
    });
  } },
  { name: "anonymous chunk", weight: 2, mutate: (random, stream) => {
    const chunks = stream.filter(isChunk);
    if (chunks.length === 0) return;
    const chunk = random.pick(chunks);
    for (const field of ["messageId", "toolCallId", "subagentRunId"]) delete chunk[field];
  } },
  { name: "contradict the chunk opener", weight: 2, mutate: (random, stream) => {
    const chunks = stream.filter(isChunk);
    if (chunks.length === 0) return;
    const chunk = random.pick(chunks);
    if (chunk.type === "TEXT_MESSAGE_CHUNK") Object.assign(chunk, random.pick([{ role: "user" }, { role: "system" }, { name: "other" }]));
    if (chunk.type === "TOOL_CALL_CHUNK") Object.assign(chunk, random.pick([{ toolCallName: "other" }, { parentMessageId: "other" }]));
  } },
  { name: "mix chunk and explicit", weight: 2, mutate: (random, stream) => {
    const chunks = stream.flatMap((event, index) => (isChunk(event) && idOf(event) ? [index] : []));
    if (chunks.length === 0) return;
    const at = random.pick(chunks);
    const { type, subagentRunId } = stream[at];
    const ending = random.pick(["END", type === "TOOL_CALL_CHUNK" ? "ARGS" : "CONTENT"]);
    stream.splice(random.between(at + 1, Math.min(at + 4, stream.length)), 0, {
      type: type.replace("CHUNK", ending),
      ...idOf(stream[at]),
      ...(ending !== "END" && { delta: "x" }),
      ...(subagentRunId !== undefined && random.chance(0.7) && { subagentRunId }),
    });
  } },
];

/** @param {any} event */
const isChunk = ({ type }) => String(type).endsWith("_CHUNK");

/** @param {any} chunk */
function idOf({ messageId, toolCallId }) {
  if (messageId !== undefined) return { messageId };
  return toolCallId === undefined ? undefined : { toolCallId };
}
