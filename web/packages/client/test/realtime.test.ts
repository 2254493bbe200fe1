/** The client of `/realtime` in front of real servers: messages, views, actions, gates, and coming back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type A2uiRender, type RealtimeClientOptions, RealtimeClient, type RealtimeEvent, formSubmit } from "../src/index.js";
import { Cable } from "./cable.js";
import { Listener } from "./listener.js";
import { Stage } from "./stage.js";

let stage: Stage;
let coach: Stage;
beforeAll(async () => {
  [stage, coach] = await Promise.all([Stage.play(), Stage.app("coach")]);
});
afterAll(() => Promise.all([stage.stop(), coach.stop()]));

const quick = { firstDelay: 5, maxDelay: 20 };

interface Audience extends Listener<RealtimeEvent> {
  client: RealtimeClient;
}

function open(options: Partial<RealtimeClientOptions>): Audience {
  const client = new RealtimeClient({ url: stage.door("/realtime"), reconnect: quick, ...options });
  const audience = Object.assign(new Listener<RealtimeEvent>(client), { client });
  void client.connect();
  return audience;
}

const is = (type: RealtimeEvent["type"]) => (event: RealtimeEvent) => event.type === type;
const isRender = (event: RealtimeEvent): event is A2uiRender => event.type === "CUSTOM";
const types = (events: RealtimeEvent[]) => events.map(({ type }) => type);
const said = (events: RealtimeEvent[]) => events.map((event) => (event.type === "TEXT_MESSAGE_CHUNK" ? event.delta : "")).join("");

describe("a message", () => {
  test("is answered by a run with whole messages, each with the ids of its run", async () => {
    const ada = open({ agent: "echo", threadId: "r1" });
    const runId = ada.client.say("Hello there");
    const events = await ada.until(is("RUN_FINISHED"));
    expect(types(events)).toEqual(["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]);
    for (const event of events) expect(event).toMatchObject({ threadId: "r1", runId });
    expect(said(events)).toBe("Hello there");
    ada.client.close();
  });

  test("that the server refuses is told, and nothing waits for it", async () => {
    const cable = await Cable.to(stage.port);
    const ada = open({ agent: "echo", url: cable.door("/realtime") });
    ada.client.say("  ");
    const [refused] = await ada.until(is("RUN_ERROR"));
    expect(refused).toMatchObject({ code: "invalid_envelope", path: "message" });
    ada.client.close();
    await cable.remove();
  });

  test("of somebody else on the thread is shown, too", async () => {
    const ada = open({ agent: "echo", threadId: "both" });
    await ada.client.connect();
    const bob = open({ agent: "echo", threadId: "both" });
    bob.client.say("From Bob");
    expect(said(await ada.until(is("RUN_FINISHED")))).toBe("From Bob");
    ada.client.close();
    bob.client.close();
  });
});

describe("a form", () => {
  test("is shown, sent as an action, saved once, and followed by the next view", async () => {
    const ada = open({ url: coach.door("/realtime") });
    ada.client.say("HELLO");
    const hello = await ada.until(is("RUN_FINISHED"));
    const view = hello.find(isRender)?.value.view as { viewId: string };
    expect(view.viewId).toBe("profile_onboarding_v1");
    const values = { firstName: "Ada", lastName: "Lovelace", goals: "Run", experience: "none" };
    const runId = ada.client.sendAction(formSubmit(view.viewId, "profile_onboarding", values));
    expect(runId).toBeTypeOf("string");
    const saved = await ada.until(is("RUN_FINISHED"), hello.length);
    const calls = saved.filter((event) => event.type === "TOOL_CALL_STARTED");
    expect(calls.map((event) => "toolName" in event && event.toolName)).toEqual(["profile_get", "profile_save"]);
    expect(calls.at(-1)).toMatchObject({ args: { profile: values }, label: "Saving the profile" });
    expect(said(saved)).toBe("Saved");
    expect((saved.find(isRender)?.value.view as { viewId: string }).viewId).toBe("profile_saved_v1");
    ada.client.close();
  });

  test("is sent in the envelope of the contract, with every member that it has and no other", async () => {
    const sent: unknown[] = [];
    class Overheard extends WebSocket {
      override send(data: string): void {
        sent.push(JSON.parse(data));
        super.send(data);
      }
    }
    const ada = open({ agent: "echo", threadId: "envelope", WebSocket: Overheard });
    const first = ada.client.say("Hello", { page: "coach" });
    await ada.until(is("RUN_FINISHED"));
    const values = { firstName: "Ada", age: 36 };
    const second = ada.client.sendAction(formSubmit("view-1", "form-1", values));
    await ada.until(is("RUN_ERROR"));
    const a2uiAction = { kind: "a2ui.action.v1", viewId: "view-1", action: { type: "form.submit", formId: "form-1", values } };
    expect(sent).toStrictEqual([
      { threadId: "envelope", runId: first, message: "Hello", forwardedProps: { uiContext: { page: "coach" } } },
      { threadId: "envelope", runId: second, message: "A2UI_ACTION", forwardedProps: { uiContext: { a2uiAction } } },
    ]);
    expect(first).not.toBe(second);
    ada.client.close();
  });

  test("is not sent without a connection, and not later either", async () => {
    const cable = await Cable.to(coach.port);
    const ada = open({ url: cable.door("/realtime") });
    ada.client.say("HELLO");
    const before = await ada.until(is("RUN_FINISHED"));
    cable.cut();
    await ada.untilStatus("waiting");
    expect(ada.client.sendAction(formSubmit("profile_onboarding_v1", "profile_onboarding", { firstName: "Bob" }))).toBeUndefined();
    await ada.client.connect();
    await ada.untilStatus("open", 2);
    ada.client.say("HELLO");
    const after = await ada.until(is("RUN_FINISHED"), before.length);
    expect(types(after)).not.toContain("RUN_ERROR");
    expect(after.filter((event) => "toolName" in event && event.toolName === "profile_save")).toEqual([]);
    ada.client.close();
    await cable.remove();
  });
});

describe("an audit", () => {
  test("waits at three gates, and goes on with what is decided there", async () => {
    const ada = open({ agent: "teller", mode: "audit" });
    const runId = ada.client.say("pay ann 7");
    const staged = await ada.until(is("RUN_STAGED"));
    expect(staged.at(-1)).toMatchObject({ payload: { message: "pay ann 7" } });
    ada.client.decide(runId, { type: "RUN_STAGE_APPROVED" });
    const proposed = (await ada.until(is("TOOL_CALL_PROPOSED"))).at(-1) as { toolCallId: string };
    ada.client.decide(runId, { type: "TOOL_CALL_APPROVED", toolCallId: proposed.toolCallId, argsOverride: { to: "ann", amount: 6 } });
    expect((await ada.until(is("ASSISTANT_DRAFT_PROPOSED"))).at(-1)).toMatchObject({ draftText: "6 to ann" });
    ada.client.decide(runId, { type: "ASSISTANT_FINAL_APPROVED" });
    const events = await ada.until(is("RUN_FINISHED"));
    expect(said(events)).toBe("6 to ann");
    expect(events.every((event) => event.runId === runId)).toBe(true);
    ada.client.close();
  });

  test("opens the gates that its policy opens", async () => {
    const auditPolicy = { autoApproveStage: true, autoApproveToolCalls: true, autoApproveAssistant: true };
    const ada = open({ agent: "echo", mode: "audit", auditPolicy });
    ada.client.say("Hello");
    expect(types(await ada.until(is("RUN_FINISHED")))).toEqual(["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]);
    ada.client.close();
  });
});

describe("after the connection is lost", () => {
  test("a run goes on where it was, wherever that is", async () => {
    const whole = open({ agent: "revue" });
    whole.client.say("Begin!");
    const expected = await whole.until(is("RUN_FINISHED"));
    whole.client.close();
    expect(expected.length).toBeGreaterThan(6);

    const cable = await Cable.to(stage.port);
    const ada = open({ agent: "rehearsal", url: cable.door("/realtime") });
    // Every connection ends with the first frame that is new. The next one lets the agent go on as far as the next frame.
    const steps = [0, 18, 12];
    ada.client.onEvent(() => cable.cut());
    ada.client.onStatus(({ state }) => state === "open" && stage.go(ada.client.threadId, steps.shift() ?? 100));
    ada.client.say("Begin!");
    const events = await ada.until(is("RUN_FINISHED"));
    expect(types(events)).toEqual(types(expected));
    expect(said(events)).toBe(said(expected));
    expect(cable.connections).toBeGreaterThan(2);
    expect((await stage.json(`/v1/threads/${ada.client.threadId}`)).runs).toBe(1);
    ada.client.close();
    await cable.remove();
  });

  test("a message that the server never got is sent again, and heard once", async () => {
    const cable = await Cable.to(stage.port);
    const ada = open({ agent: "echo", url: cable.door("/realtime") });
    await ada.client.connect();
    ada.client.say("Hello there");
    cable.cut();
    const events = await ada.until(is("RUN_FINISHED"));
    expect(types(events)).toEqual(["RUN_STARTED", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]);
    const { messages } = await stage.json(`/v1/threads/${ada.client.threadId}/messages`);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
    ada.client.close();
    await cable.remove();
  });

  test("a decision that the server never got is sent again, and one that it had is no error", async () => {
    const cable = await Cable.to(stage.port);
    const ada = open({ agent: "teller", url: cable.door("/realtime") });
    const runId = ada.client.say("pay ann 7");
    const asked = await ada.until(is("TOOL_CALL_PROPOSED"));
    const { toolCallId } = asked.at(-1) as { toolCallId: string };
    ada.client.decide(runId, { type: "TOOL_CALL_APPROVED", toolCallId });
    cable.cut();
    const events = await ada.until(is("RUN_FINISHED"));
    expect(types(events).filter((type) => type === "TOOL_CALL_PROPOSED")).toHaveLength(1);
    expect(types(events)).not.toContain("RUN_ERROR");
    expect(said(events)).toBe("7 to ann");
    ada.client.close();
    await cable.remove();
  });
});

test("a key that does not count closes for good with code 4401", async () => {
  const guarded = await Stage.withKey("secret");
  try {
    const mallory = open({ url: guarded.door("/realtime"), agent: "hello", token: "guess" });
    expect(await mallory.untilStatus("closed")).toMatchObject({ code: 4401, unauthorised: true });
    const ada = open({ url: guarded.door("/realtime"), agent: "hello", token: "secret" });
    ada.client.say("hello there");
    expect(said(await ada.until(is("RUN_FINISHED")))).toMatch(/^Hello!/);
    ada.client.close();
  } finally {
    await guarded.stop();
  }
});
