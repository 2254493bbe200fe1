/** The resumable agent in front of a real server: cut off, joined late, cancelled, watched by two. */
import type { BaseEvent, Message } from "@ag-ui/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Api, ApiError, ForestageAgent, type ForestageAgentOptions, type TailStatus } from "../src/index.js";
import { Cable } from "./cable.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.play();
});
afterAll(() => stage.stop());

let threads = 0;
const newThread = () => `agent-${++threads}`;
const quick = { firstDelay: 5, maxDelay: 20 };

function agentOn(threadId: string, agent: string, more: Partial<ForestageAgentOptions> = {}, port = stage.port): ForestageAgent {
  return new ForestageAgent({ agent, threadId, url: `http://127.0.0.1:${port}`, reconnect: quick, ...more });
}

const hello = (text: string): Message => ({ id: crypto.randomUUID(), role: "user", content: text });

function textOf(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => (role === "assistant" && typeof content === "string" ? content : "")).join("");
}

/** Collects events, and lets the play go on by one for each. */
function listening(agent: ForestageAgent, thread: string, each: (event: BaseEvent) => void = () => {}): BaseEvent[] {
  const events: BaseEvent[] = [];
  agent.subscribe({
    onEvent: ({ event }) => {
      events.push(event);
      each(event);
      stage.go(thread, 1);
    },
  });
  return events;
}

const kinds = (events: BaseEvent[]) => events.map(({ type }) => type);

describe("a run that is cut off again and again", () => {
  test("is told once from beginning to end to whoever follows the thread", async () => {
    const thread = newThread();
    const near = agentOn(thread, "rehearsal");
    await near.start({ runId: "r1", messages: [hello("Begin!")] });
    const cable = await Cable.to(stage.port);
    const far = agentOn(thread, "rehearsal", { after: "start" }, cable.port);
    let seen = 0;
    const events = listening(far, thread, () => {
      if (++seen % 3 === 0) cable.cut();
    });
    stage.go(thread, 1);
    await far.connectAgent();
    expect(cable.connections).toBeGreaterThan(3);
    const { messages } = await stage.json(`/v1/threads/${thread}/messages`);
    expect(far.messages).toEqual(messages);
    expect(kinds(events).filter((type) => type === "RUN_STARTED")).toHaveLength(1);
    await far.leave();
    await cable.remove();
  });

  test("is taken up again by whoever began it, and begun once", async () => {
    const thread = newThread();
    const cable = await Cable.to(stage.port);
    const agent = agentOn(thread, "rehearsal", {}, cable.port);
    let seen = 0;
    listening(agent, thread, () => {
      if (++seen % 3 === 0) cable.cut();
    });
    agent.setMessages([hello("Begin!")]);
    stage.go(thread, 1);
    await agent.runAgent({ runId: "r1" });
    expect(cable.connections).toBeGreaterThan(3);
    expect(agent.messages).toEqual((await stage.json(`/v1/threads/${thread}/messages`)).messages);
    expect((await stage.json(`/v1/threads/${thread}`)).runs).toBe(1);
    await cable.remove();
  });
});

describe("following", () => {
  test("goes from run to run on one connection", async () => {
    const thread = newThread();
    const cable = await Cable.to(stage.port);
    const agent = agentOn(thread, "hello");
    await agent.start({ runId: "r1", messages: [hello("hello there")] });
    const viewer = agentOn(thread, "hello", {}, cable.port);
    await viewer.connectAgent();
    const first = textOf(viewer.messages);
    expect(first).toMatch(/^Hello!/);
    viewer.setMessages([]);
    await agent.start({ runId: "r2", messages: [hello("again")] });
    await viewer.connectAgent();
    expect(textOf(viewer.messages)).toBe("You said: again");
    expect(cable.connections).toBe(1);
    await viewer.leave();
    await cable.remove();
  });

  test("comes back behind the last event after leaving", async () => {
    const thread = newThread();
    const agent = agentOn(thread, "hello");
    await agent.start({ runId: "r1", messages: [hello("hello there")] });
    await agent.connectAgent();
    const { cursor } = agent;
    await agent.leave();
    await agent.start({ runId: "r2", messages: [hello("again")] });
    const events: BaseEvent[] = [];
    await agent.connectAgent({}, { onEvent: ({ event }) => void events.push(event) });
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", runId: "r2" });
    expect(agent.cursor).not.toBe(cursor);
    await agent.leave();
  });

  test("comes back into a run that it left in the middle", async () => {
    const thread = newThread();
    const agent = agentOn(thread, "rehearsal");
    await agent.start({ runId: "r1", messages: [hello("Begin!")] });
    let left: Promise<void> | undefined;
    stage.go(thread, 1);
    await agent.connectAgent(
      {},
      {
        onEvent: () => {
          if (left === undefined) stage.go(thread, 1);
        },
        onTextMessageContentEvent: () => void (left ??= agent.leave()),
      },
    );
    await left;
    expect((await stage.json(`/v1/threads/${thread}`)).status).toBe("running");
    listening(agent, thread);
    stage.go(thread, 1);
    await agent.connectAgent();
    expect(agent.messages).toEqual((await stage.json(`/v1/threads/${thread}/messages`)).messages);
    await agent.leave();
  });

  test("a thread that is not there is refused, and not asked for again", async () => {
    const statuses: TailStatus[] = [];
    const agent = agentOn(newThread(), "hello", { onStatus: (status) => statuses.push(status) });
    let failure: Error | undefined;
    await agent.connectAgent({}, { onRunFailed: ({ error }) => void (failure = error) }).catch(() => {});
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 404, code: "unknown_thread" });
    expect(statuses.map(({ state }) => state)).toEqual(["connecting", "closed"]);
  });

  test("a server that is not there is tried as often as it may be", async () => {
    const nowhere = await Cable.to(stage.port);
    const { port } = nowhere;
    await nowhere.remove();
    const statuses: TailStatus[] = [];
    const agent = agentOn("t", "hello", { reconnect: { ...quick, maxAttempts: 2 }, onStatus: (status) => statuses.push(status) }, port);
    await agent.connectAgent().catch(() => {});
    expect(statuses.filter(({ state }) => state === "connecting")).toHaveLength(3);
    expect(statuses.at(-1)).toMatchObject({ state: "closed", error: { status: 0, code: "unreachable" } });
  });
});

test("cancelling stops the run for everybody", async () => {
  const thread = newThread();
  const agent = agentOn(thread, "rehearsal");
  await agent.start({ runId: "r1", messages: [hello("Begin!")] });
  const ends: BaseEvent[] = [];
  const viewers = [agentOn(thread, "rehearsal"), agentOn(thread, "rehearsal")];
  const watched = viewers.map((viewer) => viewer.connectAgent({}, { onRunFinishedEvent: ({ event }) => void ends.push(event) }));
  while (viewers.some((viewer) => viewer.currentRunId === undefined)) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await viewers[0]!.cancel()).toBe(true);
  await Promise.all(watched);
  expect(ends).toHaveLength(2);
  expect(ends[0]).toMatchObject({ outcome: { type: "cancelled" } });
  await Promise.all(viewers.map((viewer) => viewer.leave()));
});

test("a refusal has the server's code, path and hint", async () => {
  const api = new Api({ url: `http://127.0.0.1:${stage.port}` });
  await expect(api.run("nobody", { threadId: "t", runId: "r" })).rejects.toMatchObject({ name: "ApiError", status: 404, code: "unknown_agent" });
  await expect(api.decide("i", "t", { approved: true })).rejects.toMatchObject({ code: "unknown_interrupt" });
});
