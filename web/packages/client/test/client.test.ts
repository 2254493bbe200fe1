/** The client in front of a real server: the contract's flows, and coming back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGUIWebSocketClient, type AgoraEvent, ConnectionError, type ToolApprovalRequestEvent } from "../src/index.js";
import { Audience, textOf } from "./audience.js";
import { Cable } from "./cable.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.play();
});
afterAll(() => stage.stop());

const quick = { firstDelay: 5, maxDelay: 20 };
const isRequest = (event: AgoraEvent): event is ToolApprovalRequestEvent =>
  event.type === "CUSTOM" && event.name === "agora:tool_approval_request";

let threads = 0;
const newThread = () => `t${++threads}`;

function open(agent: string, url = stage.url): Audience {
  const audience = new Audience(new AGUIWebSocketClient({ url, agent, reconnect: quick }));
  audience.client.connect();
  return audience;
}

/** What stays the same when a run is played again, by another agent. */
function told(events: AgoraEvent[], ...names: string[]): unknown[] {
  const same = JSON.stringify(events.map(({ timestamp, cursor, ...event }) => event));
  return JSON.parse(names.reduce((text, name, at) => text.replaceAll(new RegExp(`"${name}(?=["-])`, "g"), `"NAME${at}`), same));
}

describe("a run", () => {
  test("is asked for before the connection is there, and told from beginning to end", async () => {
    const ada = new Audience(new AGUIWebSocketClient({ url: stage.url, agent: "hello" }));
    const thread = newThread();
    ada.client.connect();
    const runId = ada.client.sendRunInput(thread, "hello there");
    const events = await ada.untilEnd();
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: thread, runId });
    expect(events[1]).toMatchObject({ type: "STATE_SNAPSHOT", snapshot: { status: "processing" } });
    expect(textOf(events)).toMatch(/^Hello!/);
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId });
    ada.client.close();
  });

  test("of a thread goes on from what was said before", async () => {
    const ada = open("hello");
    const thread = newThread();
    ada.client.sendRunInput(thread, "hello there");
    const first = await ada.untilEnd();
    ada.client.sendRunInput(thread, "hello again");
    expect(textOf(await ada.untilEnd(first.length))).toBe("You said: hello again");
    ada.client.close();
  });

  test("that is refused is told with a code", async () => {
    const ada = open("teller");
    const thread = newThread();
    ada.client.sendRunInput(thread, "pay ann 7");
    await ada.until(isRequest);
    ada.client.sendApproval("invented", true);
    const refused = await ada.until((event) => event.type === "CUSTOM" && event.name === "agora:error");
    expect(refused.at(-1)).toMatchObject({ value: { errorCode: "unknown_interrupt", details: { approvalId: "invented" } } });
    ada.client.close();
  });
});

describe("an approval", () => {
  test.each([
    [true, "7 to ann"],
    [false, "rejected"],
  ])("of %s decides what the tool does", async (approved, said) => {
    const ada = open("teller");
    ada.client.sendRunInput(newThread(), "pay ann 7");
    const asked = await ada.until(isRequest);
    const request = asked.at(-1) as ToolApprovalRequestEvent;
    expect(request.value).toMatchObject({ toolName: "pay", parameters: { to: "ann", amount: 7 }, riskLevel: "medium" });
    ada.client.sendApproval(request.value.approvalId, approved, "as you like");
    expect(textOf(await ada.untilEnd())).toContain(said);
    ada.client.close();
  });
});

describe("after the connection is lost", () => {
  test("a run goes on where it was, wherever that is", async () => {
    const watched = newThread();
    const whole = open("revue");
    const wholeRun = whole.client.sendRunInput(watched, "Begin!");
    const expected = told(await whole.untilEnd(), wholeRun, watched, "revue");
    whole.client.close();

    const thread = newThread();
    const cable = await Cable.to(stage.port);
    const ada = open("rehearsal", cable.url);
    const runId = ada.client.sendRunInput(thread, "Begin!");
    let seen = 0;
    ada.client.onEvent(({ cursor }) => {
      if (cursor !== undefined && ++seen % 3 === 0) cable.cut();
    });
    // One event at a time, and not one for each frame: the events of a call come without a frame until its tool starts.
    const pace = setInterval(() => stage.go(thread, 1), 20);
    expect(told(await ada.untilEnd(), runId, thread, "rehearsal")).toEqual(expected);
    clearInterval(pace);
    expect(cable.connections).toBeGreaterThan(5);
    const { runs } = await stage.json(`/v1/threads/${thread}`);
    expect(runs).toBe(1);
    ada.client.close();
    await cable.remove();
  });

  test("an input that the server never got is sent again, and heard once", async () => {
    const cable = await Cable.to(stage.port);
    const ada = open("hello", cable.url);
    await ada.client.connect();
    const thread = newThread();
    ada.client.sendRunInput(thread, "hello there");
    cable.cut();
    const events = await ada.untilEnd();
    expect(textOf(events)).toMatch(/^Hello! I am played from a file/);
    expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
    const { messages } = await stage.json(`/v1/threads/${thread}/messages`);
    expect(messages.filter(({ role }: { role: string }) => role === "user")).toHaveLength(1);
    ada.client.close();
    await cable.remove();
  });

  test("a decision that the server never got is sent again", async () => {
    const cable = await Cable.to(stage.port);
    const ada = open("teller", cable.url);
    const thread = newThread();
    ada.client.sendRunInput(thread, "pay ann 7");
    const request = (await ada.until(isRequest)).at(-1) as ToolApprovalRequestEvent;
    ada.client.sendApproval(request.value.approvalId, true);
    cable.cut();
    const events = await ada.untilEnd();
    expect(textOf(events)).toBe("7 to ann");
    expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
    expect(events.filter(isRequest)).toHaveLength(1);
    ada.client.close();
    await cable.remove();
  });

  test("the waits are told, and closing ends them", async () => {
    const cable = await Cable.to(stage.port);
    const ada = new Audience(new AGUIWebSocketClient({ url: cable.url, agent: "hello", reconnect: { firstDelay: 60_000, maxDelay: 60_000 } }));
    await ada.client.connect();
    cable.cut();
    const waiting = await ada.untilStatus("waiting");
    expect(waiting).toMatchObject({ attempt: 1, code: 1006 });
    ada.client.close();
    expect(ada.client.status).toMatchObject({ state: "closed", code: 1000, unauthorised: false });
    await cable.remove();
  });

  test("a client that may try so often gives up after that", async () => {
    const nowhere = await Cable.to(stage.port);
    const { url } = nowhere;
    await nowhere.remove();
    const ada = new Audience(new AGUIWebSocketClient({ url, reconnect: { ...quick, maxAttempts: 2 } }));
    await expect(ada.client.connect()).rejects.toThrow(ConnectionError);
    expect(ada.statuses.filter(({ state }) => state === "connecting")).toHaveLength(3);
  });
});

describe("after a reload", () => {
  test("a thread is shown with the run that is under way", async () => {
    const thread = newThread();
    const before = open("rehearsal");
    before.client.sendRunInput(thread, "Begin!");
    stage.go(thread, 4);
    const seen = await before.until(({ type }) => type === "STATE_SNAPSHOT" || type === "TEXT_MESSAGE_CONTENT");
    before.client.close();

    const after = open("rehearsal");
    after.client.followThread(thread);
    await after.until(({ type }) => type === "RUN_STARTED");
    stage.go(thread, 1000);
    const events = await after.untilEnd();
    expect(events[0]).toMatchObject({ type: "MESSAGES_SNAPSHOT", messages: [] });
    expect(events.slice(1, 1 + seen.length)).toEqual(seen);
    after.client.close();
  });

  test("what waits for a decision is asked again", async () => {
    const thread = newThread();
    const before = open("teller");
    before.client.sendRunInput(thread, "pay ann 7");
    await before.until(isRequest);
    before.client.close();

    const after = open("teller");
    after.client.followThread(thread);
    const request = (await after.until(isRequest)).at(-1) as ToolApprovalRequestEvent;
    after.client.sendApproval(request.value.approvalId, true);
    expect(textOf(await after.untilEnd())).toBe("7 to ann");
    after.client.close();
  });
});

test("a key that does not count closes for good, and one that counts connects", async () => {
  const guarded = await Stage.withKey("secret");
  try {
    const mallory = new Audience(new AGUIWebSocketClient({ url: guarded.url, agent: "hello", token: "guess", reconnect: quick }));
    void mallory.client.connect();
    expect(await mallory.untilStatus("closed")).toMatchObject({ code: 4001, unauthorised: true });
    expect(mallory.statuses.filter(({ state }) => state === "connecting")).toHaveLength(1);

    const ada = new Audience(new AGUIWebSocketClient({ url: guarded.url, agent: "hello", token: "secret" }));
    await ada.client.connect();
    ada.client.sendRunInput(newThread(), "hello there");
    expect(textOf(await ada.untilEnd())).toMatch(/^Hello!/);
    ada.client.close();
  } finally {
    await guarded.stop();
  }
});
