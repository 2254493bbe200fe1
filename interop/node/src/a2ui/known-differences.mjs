// @ts-check
/**
 * Where `@a2ui/web_core` and we judge a payload of 0.9 differently, and why. An entry names the payloads that it is about;
 * no other difference is waved through.
 * @typedef {import("./mutate.mjs").Case} Case
 * @typedef {import("./web-core.mjs").Shown} Shown
 * @typedef {import("./forestage.mjs").Checked} Checked
 * @typedef {{ name: string, reason: string, of: "verdict" | "data", applies: (testCase: Case, theirs: Shown, ours: Checked) => boolean }} KnownDifference
 */

/** @param {any} message @returns {any} */
const body = (message) => message.createSurface ?? message.updateComponents ?? message.updateDataModel ?? message.deleteSurface;

/** @param {any} message */
const isDeletion = (message) => message.updateDataModel !== undefined && message.updateDataModel.value === undefined;

/** @type {KnownDifference[]} */
export const knownDifferences = [
  {
    name: "a surface without a name",
    reason: "the package passes over messages about such a surface without a word; whoever wrote one wants to know.",
    of: "verdict",
    applies: ({ messages }, theirs, { refusals }) =>
      theirs.ok && messages.some((message) => typeof body(message)?.surfaceId !== "string" || body(message).surfaceId === "")
      && (refusals ?? []).every(({ code, path }) => code === "wrong_type" && path.endsWith("/surfaceId")),
  },
  {
    name: "a list without a message",
    reason: "nothing to draw is a mistake of whoever meant to draw; the package has nothing to do and is content.",
    of: "verdict",
    applies: ({ messages }, theirs) => theirs.ok && messages.length === 0,
  },
  {
    name: "a surface that the payload does not create",
    reason: "a payload alone may change what is on the screen already, so `check` takes the surface to be there; the package starts with an empty screen.",
    of: "verdict",
    applies: ({ messages }, theirs, { refusals }) => {
      const [, id] = theirs.error?.match(/^Surface not found for message: (.*)$/) ?? [];
      return refusals?.length === 0 && id !== undefined && !messages.some((message) => `${message.createSurface?.surfaceId}` === id);
    },
  },
  {
    name: "what is deleted is not made before",
    reason: "deleting at a path below nothing leaves empty lists and objects there in the package; nothing is what was asked for. Deleting everything leaves an empty object, since the data of a surface is one.",
    of: "data",
    applies: ({ messages }) => messages.some(isDeletion),
  },
];
