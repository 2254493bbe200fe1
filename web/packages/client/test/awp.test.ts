/** The client of `/awp` in front of real servers: a lesson, refusals, and coming back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, AwpClient, type AwpEvent } from "../src/index.js";
import { Cable } from "./cable.js";
import { Listener } from "./listener.js";
import { Stage } from "./stage.js";

let stage: Stage;
let tutor: Stage;
beforeAll(async () => {
  [stage, tutor] = await Promise.all([Stage.play(), Stage.app("tutor")]);
});
afterAll(() => Promise.all([stage.stop(), tutor.stop()]));

const reconnect = { firstDelay: 5, maxDelay: 20 };
const said = (events: AwpEvent[]) => events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event["delta"] : "")).join("");
/** What stays the same when a run is played again: ids begin with the id of the run. */
const told = (events: AwpEvent[], runId: string, agent: string) =>
  JSON.parse(JSON.stringify(events.map(({ timestamp, input, threadId, runId, ...event }) => event)).replaceAll(runId, "RUN").replaceAll(`"${agent}"`, '"AGENT"'));

describe("a run", () => {
  test("answers what is said with events of AG-UI, to its end", async () => {
    const ada = new AwpClient({ url: stage.door("/awp", "http"), agent: "echo", threadId: "a1" });
    const seen: AwpEvent[] = [];
    ada.onEvent((event) => seen.push(event));
    const events = await ada.say("Hello there");
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", threadId: "a1" });
    expect(events.at(-1)?.type).toBe("RUN_FINISHED");
    expect(said(events)).toBe("Hello there");
    expect(seen).toEqual(events);
  });

  test("that is refused rejects with the code of the server, and is not tried again", async () => {
    const cable = await Cable.to(stage.port);
    const ada = new AwpClient({ url: cable.door("/awp", "http"), agent: "nobody", reconnect });
    await expect(ada.say("Hello")).rejects.toMatchObject({ code: "unknown_agent", status: 404 });
    await expect(ada.say("Hello")).rejects.toThrow(ApiError);
    expect(cable.connections).toBeLessThanOrEqual(2);
    await cable.remove();
  });

  test("tells the agent its context", async () => {
    const context = { user_timezone: "Europe/Paris" };
    const sent: unknown[] = [];
    const watched: typeof fetch = (url, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return fetch(url, init);
    };
    await new AwpClient({ url: stage.door("/awp", "http"), agent: "echo", context, fetch: watched }).say("Hello");
    expect(sent).toMatchObject([{ context, messages: [{ role: "user", content: "Hello" }] }]);
  });
});

test("components are answered by their calls, until the next lesson", async () => {
  const ada = new AwpClient({ url: tutor.door("/awp", "http") });
  const shown = (events: AwpEvent[]) => {
    const call = events.find((event) => event.type === "TOOL_CALL_START" && /^its:/.test(String(event["toolCallName"])));
    return { toolCallId: String(call?.["toolCallId"]), name: String(call?.["toolCallName"]) };
  };
  const args = (events: AwpEvent[]) => {
    const isPiece = (event: AwpEvent) => event.type === "TOOL_CALL_ARGS" && event["toolCallId"] === shown(events).toolCallId;
    return JSON.parse(events.filter(isPiece).map((event) => event["delta"]).join(""));
  };
  const carousel = await ada.say("Teach me");
  expect(shown(carousel).name).toBe("its:render_learning_track_carousel");
  const { tracks } = args(carousel) as { tracks: { track_id: string }[] };
  const next = await ada.answer({ ...shown(carousel), content: { selected_track_id: tracks[0]?.track_id } });
  expect(shown(next).name).toBe("its:render_skill_slider");
  const wrong = ada.answer({ ...shown(next), name: "its:render_quick_quiz", content: {} });
  await expect(wrong).rejects.toMatchObject({ code: "wrong_tool_name", status: 422 });
});

describe("after the connection is lost", () => {
  test("a run goes on behind the last event, wherever that is", async () => {
    const whole = await new AwpClient({ url: stage.door("/awp", "http"), agent: "revue" }).say("Begin!");

    const cable = await Cable.to(stage.port);
    const ada = new AwpClient({ url: cable.door("/awp", "http"), agent: "rehearsal", reconnect });
    let seen = 0;
    ada.onEvent(() => {
      if (++seen % 3 === 0) cable.cut();
      stage.go(ada.threadId, 1);
    });
    const events = await ada.say("Begin!");
    const runId = (all: AwpEvent[]) => String(all[0]?.["runId"]);
    expect(told(events, runId(events), "rehearsal")).toEqual(told(whole, runId(whole), "revue"));
    expect(cable.connections).toBeGreaterThan(5);
    expect((await stage.json(`/v1/threads/${ada.threadId}`)).runs).toBe(1);
    await cable.remove();
  });

  test("a message that the server never got is sent again, and heard once", async () => {
    const cable = await Cable.to(stage.port);
    const ada = new AwpClient({ url: cable.door("/awp", "http"), agent: "echo", reconnect });
    const listener = new Listener<AwpEvent>(ada);
    const events = ada.say("Hello there");
    await listener.untilStatus("connecting");
    cable.cut();
    expect(said(await events)).toBe("Hello there");
    const { messages } = await stage.json(`/v1/threads/${ada.threadId}/messages`);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    await cable.remove();
  });

  test("closing ends it, and the run goes on", async () => {
    const ada = new AwpClient({ url: stage.door("/awp", "http"), agent: "rehearsal" });
    const listener = new Listener<AwpEvent>(ada);
    const events = ada.say("Begin!");
    await listener.until(({ type }) => type === "RUN_STARTED");
    ada.close();
    expect((await events).at(-1)?.type).not.toBe("RUN_FINISHED");
    stage.go(ada.threadId, 1000);
  });
});

test("a key that does not count is refused, and one that counts is not", async () => {
  const guarded = await Stage.withKey("secret");
  try {
    const url = guarded.door("/awp", "http");
    await expect(new AwpClient({ url, agent: "hello", token: "guess" }).say("hello")).rejects.toMatchObject({ status: 401 });
    expect(said(await new AwpClient({ url, agent: "hello", token: "secret" }).say("hello there"))).toMatch(/^Hello!/);
  } finally {
    await guarded.stop();
  }
});
