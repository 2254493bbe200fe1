// @ts-check
/**
 * All moves a producer can make in the middle of a run.
 * @typedef {import("../producer.mjs").Producer} Producer
 * @typedef {{ name: string, weight: number, ready: (p: Producer) => boolean, play: (p: Producer) => void }} Move
 */
import { moves as activity } from "./activity.mjs";
import { moves as chunk } from "./chunk.mjs";
import { moves as reasoning } from "./reasoning.mjs";
import { moves as snapshot } from "./snapshot.mjs";
import { moves as special } from "./special.mjs";
import { moves as state } from "./state.mjs";
import { moves as step } from "./step.mjs";
import { moves as subagent } from "./subagent.mjs";
import { moves as text } from "./text.mjs";
import { moves as toolCall } from "./tool-call.mjs";

const families = [text, toolCall, chunk, reasoning, state, activity, snapshot, subagent, step, special];

/** Plays one possible move. @param {Producer} p @param {Move[]} moves */
export function playOne(p, moves) {
  p.random.weighted(moves.filter((move) => move.ready(p))).play(p);
}

/**
 * The moves of one stream. Most streams use a few families only: open items of one kind
 * then meet each other, which they rarely do when everything happens.
 * @param {import("../../random.mjs").Random} random @returns {Move[]}
 */
export function someMoves(random) {
  if (random.chance(0.3)) return families.flat();
  const chosen = new Set(random.times(random.between(1, 4), () => random.pick(families)));
  return [...chosen].flat();
}
