// @ts-check
/**
 * MESSAGES_SNAPSHOT: known messages restated, some left out, new ones of every role.
 * @typedef {import("../producer.mjs").Producer} Producer
 */
import { message, roles } from "../messages.mjs";
import { copy, word } from "../values.mjs";

/** @type {import("./index.mjs").Move[]} */
export const moves = [{ name: "messages snapshot", weight: 2.5, ready: () => true, play: snapshot }];

/** @param {Producer} p */
function snapshot(p) {
  const { random } = p;
  const kept = random.some([...p.messages.keys()], 6).map((id) => restated(p, id));
  const added = random.times(random.int(3), () => anyMessage(p));
  const messages = random.chance(0.8) ? [...kept, ...added] : [...added, ...kept];
  p.emit({ type: "MESSAGES_SNAPSHOT", messages, ...someAuthority(p) });
}

/** The TypeScript client's own convention: which activity types this snapshot speaks for. @param {Producer} p */
function someAuthority(p) {
  if (!p.random.chance(0.2)) return {};
  const authoritativeActivityTypes = p.random.pick([null, [], [word(p.random)], [word(p.random), word(p.random)], [1], "not a list"]);
  return { metadata: { "@ag-ui/client": p.random.pick([{ authoritativeActivityTypes }, { authoritativeActivityTypes }, {}, "text", null]) } };
}

/** A known message as a snapshot restates it: the same owner, mostly the same role. @param {Producer} p @param {string} id */
function restated(p, id) {
  const role = p.random.chance(0.93) ? (p.messages.get(id) ?? "assistant") : p.random.pick(roles);
  const kind = role === "reasoning" ? "reasoning" : role === "activity" ? "activity" : "text";
  const owner = p.ownership.of(kind, id);
  const calls = [...p.calls].filter(([call, { parent }]) => (parent ?? call) === id && isOwnedBy(p, call, owner.id)).map(([call]) => call);
  return remember(p, message(p.random, { id, role, owner: owner.known ? owner.id : p.someOwner(), calls }));
}

/** A snapshot assigns a call to its message's owner, which must not contradict an open call. @param {Producer} p @param {string} call @param {string | undefined} owner */
function isOwnedBy(p, call, owner) {
  const recorded = p.ownership.of("tool", call);
  return !recorded.known || recorded.id === owner;
}

/** A message nobody has seen. @param {Producer} p */
export function anyMessage(p) {
  const role = p.random.pick(roles);
  const calls = role === "assistant" ? p.random.times(p.random.int(3), () => p.newId("c")) : [];
  const answered = [...p.calls.keys()];
  const answers = answered.length > 0 ? p.random.pick(answered) : "call";
  return remember(p, message(p.random, { id: p.newId("h"), role, owner: p.someOwner(), calls, answers }));
}

/** @param {Producer} p @param {import("../messages.mjs").Message} made */
function remember(p, made) {
  p.messages.set(made.id, made.role);
  for (const call of made.toolCalls ?? []) p.calls.set(call.id, { name: call.function.name, parent: made.id });
  if (made.role === "activity") p.activities.set(made.id, copy(made.content));
  return made;
}
