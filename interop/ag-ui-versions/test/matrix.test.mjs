// @ts-check
/**
 * Every line of the official client against a real server: what its users see is what those of 1.0.0 see, but for what
 * its form of the protocol leaves out. `npm run all` takes every version.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { REFERENCE, clients, nameOf } from "../src/clients.mjs";
import { compare } from "../src/compare.mjs";
import { playAll } from "../src/matrix.mjs";
import { scenes } from "../src/scenes.mjs";
import { seen } from "../src/seen.mjs";
import { missingServer, startServer } from "../src/server.mjs";

const skip = missingServer();
const chosen = clients().filter(({ tested }) => tested);

/** @type {Map<string, import("../src/matrix.mjs").Played>} */
let played;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  if (skip) return;
  server = await startServer();
  played = await playAll(chosen, server.url);
});
after(() => server?.stop());

const reference = () => /** @type {import("../src/matrix.mjs").Played} */ (played.get(REFERENCE)).results;

/** @param {import("../src/clients.mjs").Client} client */
const playedBy = (client) => /** @type {import("../src/matrix.mjs").Played} */ (played.get(nameOf(client)));

for (const client of chosen) {
  describe(`@ag-ui/client ${nameOf(client)}`, { skip }, () => {
    for (const scene of Object.keys(scenes)) {
      test(`${scene}: everything arrives that this version knows`, () => {
        const { actual, expected } = compare(client, playedBy(client).results[scene], reference()[scene]);
        assert.deepEqual(actual, expected);
      });
    }

    test("the client complains about nothing", () => {
      assert.deepEqual(playedBy(client).complaints, []);
    });
  });
}

test("every agent of the demo is visited", { skip }, async () => {
  /** @type {{ agents: { name: string }[] }} */
  const { agents } = await (await fetch(`${server.url}/v1/agents`)).json();
  const visited = new Set(Object.values(scenes).map(({ agent }) => agent));
  assert.deepEqual(agents.map(({ name }) => name).filter((name) => !visited.has(name)), []);
});

test("with 1.0.0 every scene goes as it should", { skip }, () => {
  for (const [name, result] of Object.entries(reference())) {
    const { faults, ends } = seen(result);
    assert.deepEqual(faults, [], name);
    const expected = name === "error" ? ["RUN_ERROR", "RUN_FINISHED", "RUN_ERROR"] : name === "an agent that is not there" ? ["unknown_agent"] : ends.map(() => "RUN_FINISHED");
    assert.deepEqual(ends, expected, name);
  }
});
