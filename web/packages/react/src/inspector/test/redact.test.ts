/** What leaves the inspector redacted says nothing, and is the same stream. */
import { describe, expect, it } from "vitest";
import { entriesOf, type WireEvent } from "../log/entry.js";
import { EMPTY, fold } from "../log/fold/index.js";
import { isObject, type Json } from "../log/json.js";
import { Redactor, redacted } from "../log/redact/index.js";
import { LEGAL } from "./streams.js";

const one = (event: WireEvent) => new Redactor().redact(event);

describe("redaction", () => {
  it("takes what was said and leaves the structure", () => {
    expect(one({ type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Hi du", timestamp: 7 })).toEqual({
      type: "TEXT_MESSAGE_CONTENT",
      messageId: "m1",
      delta: "██ ██",
      timestamp: 7,
    });
    expect(one({ type: "STATE_DELTA", delta: [{ op: "add", path: "/a", value: { name: "Ada" } }] })).toEqual({
      type: "STATE_DELTA",
      delta: [{ op: "add", path: "/a", value: { name: "███" } }],
    });
    expect(one({ type: "MESSAGES_SNAPSHOT", messages: [{ id: "m", role: "user", content: "no" }] })).toEqual({
      type: "MESSAGES_SNAPSHOT",
      messages: [{ id: "m", role: "user", content: "██" }],
    });
    expect(one({ type: "ACTIVITY_SNAPSHOT", activityType: "PLAN", content: { type: "x", n: 1 } })).toEqual({
      type: "ACTIVITY_SNAPSHOT",
      activityType: "PLAN",
      content: { type: "█", n: 1 },
    });
  });

  it("counts characters as people do, not as machines store them", () => {
    expect(one({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "𝒳é" })).toMatchObject({ delta: "██" });
  });

  it("leaves arguments in pieces JSON", () => {
    const redactor = new Redactor();
    const pieces = ['{"city":"Ber', 'lin \\"x\\"","n":1', "2}"];
    const deltas = pieces.map((delta) => redactor.redact({ type: "TOOL_CALL_ARGS", toolCallId: "c", delta }).delta);
    const joined = deltas.join("");
    const value = JSON.parse(joined) as { city: string; n: number };
    expect(value.n).toBe(12);
    expect(value.city).toMatch(/^██████/);
    expect(joined).not.toMatch(/lin|x/);
  });

  it.each(LEGAL)("$name folds to a conversation of the same shape, and tells none of it", ({ stream }) => {
    const whole = fold(EMPTY, entriesOf(stream)).view;
    const veiled = fold(EMPTY, entriesOf(redacted(stream))).view;
    expect(shape([...veiled.messages])).toEqual(shape([...whole.messages]));
    expect(shape(veiled.state)).toEqual(shape(whole.state));
    const words = whole.messages.flatMap(({ content }) => (typeof content === "string" ? content.match(/\p{L}{4,}/gu) ?? [] : []));
    const told = JSON.stringify(redacted(stream).map(({ delta, content, messages, input }) => [delta, content, messages, input]));
    for (const word of words) expect(told).not.toContain(word);
  });
});

/** A value with every text as long as it is. */
function shape(value: Json): Json {
  if (typeof value === "string") return Array.from(value).length;
  if (Array.isArray(value)) return value.map(shape);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shape(member)])) : value;
}
