/** Recordings: they leave redacted, come back, are judged and replayed. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { scene } from "../../src/scene.js";
import { inspect, toured } from "./desk.js";

const here = scene();
const STREAMS = resolve(import.meta.dirname, "../../../../examples/streams");

test("a recording leaves redacted, legal and without a word of what was said", async () => {
  const { threadId } = await toured(here.stage, "My secret is a walrus");
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await desk.button("Export").click();
  const download = desk.page.waitForEvent("download");
  await desk.button("Download").click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${threadId}.redacted.agui.jsonl`);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).not.toMatch(/walrus|secret|train leaves/i);
  expect(text).toContain("find_train");
  const judged = await fetch(`${here.stage.url}/v1/streams/verify`, { method: "POST", body: text });
  expect(await judged.json()).toMatchObject({ ok: true, runs: 1, findings: [] });
});

test("a recording leaves whole if somebody asks for the words", async () => {
  const { threadId } = await toured(here.stage, "My secret is a walrus");
  const desk = await inspect(here, threadId);
  await desk.row("RUN_FINISHED").waitFor();
  await desk.button("Export").click();
  await desk.page.getByText("Redact text").click();
  const download = desk.page.waitForEvent("download");
  await desk.button("Download").click();
  const text = readFileSync(await (await download).path(), "utf8");
  const stored = await fetch(`${here.stage.url}/v1/threads/${threadId}/events?format=jsonl`);
  const lines = (whole: string) => whole.trim().split("\n").map((line) => JSON.parse(line) as unknown);
  expect(lines(text).at(0)).toEqual(lines(await stored.text()).at(0));
  expect(text).toContain("walrus");
});

test("a recording is judged where it breaks a rule", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.open(resolve(STREAMS, "broken.jsonl"));
  await desk.page.getByText("Recording “broken.jsonl”").waitFor();
  await desk.button("1 issue").click();
  await expect.poll(() => desk.rows.count()).toBe(1);
  await desk.row("text_message_not_open").click();
  await desk.page.getByText(/no text message `answer-2` is open/).waitFor();
  await desk.button("Return to thread").click();
  await desk.row("RUN_FINISHED").waitFor();
});

test("a recording is replayed, held, and goes on faster", async () => {
  const { threadId } = await toured(here.stage);
  const text = await (await fetch(`${here.stage.url}/v1/threads/${threadId}/events?format=jsonl`)).text();
  const desk = await inspect(here, threadId);
  await desk.open({ name: "tour.agui.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  await desk.page.getByText("Recording “tour.agui.jsonl”").waitFor();
  await desk.tab("Messages").click();
  await desk.choose("Speed", "0.5×");
  await desk.button("Play").click();
  await expect.poll(async () => Number(await desk.moment.inputValue())).toBeGreaterThan(3);
  await desk.button("Pause playback").click();
  const held = await desk.moment.inputValue();
  await desk.choose("Speed", "10×");
  expect(await desk.moment.inputValue()).toBe(held);
  await desk.button("Play").click();
  await desk.page.getByText("Your train leaves at 08:12. I planned 2 days.").waitFor();
});

test("a recording becomes a thread", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.open(resolve(STREAMS, "hello.jsonl"));
  await desk.button("Import as thread").click();
  await desk.choose("Agent for the new thread", "hello");
  await desk.page.getByRole("dialog").getByRole("button", { name: "Import as thread" }).click();
  await desk.page.waitForURL((url) => !url.pathname.endsWith(threadId));
  const imported = new URL(desk.page.url()).pathname.split("/").at(-1);
  const thread = await here.stage.json<{ agent: string; runs: number }>(`/v1/threads/${imported}`);
  expect(thread.agent).toBe("hello");
  expect(thread.runs).toBeGreaterThan(0);
});

test("a file that is no recording is told", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  const buffer = Buffer.from('{"type":"RUN_STARTED"}\nDear Sir or Madam');
  await desk.open({ name: "letter.txt", mimeType: "text/plain", buffer });
  await desk.page.getByText("Line 2 is not valid JSON.").waitFor();
});

test("a log of ten thousand events is scrubbed and scrolled at little cost", async () => {
  const { threadId } = await toured(here.stage);
  const desk = await inspect(here, threadId);
  await desk.open({ name: "long.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(longLog(10_000)) });
  await desk.tab("Events").getByText("10000").waitFor();
  await desk.tab("State").click();
  await desk.page.getByRole("group", { name: "State at this moment" }).waitFor();
  // The clock on the wall tells how busy the machine is; that of the thread tells what we cost.
  const session = await desk.page.context().newCDPSession(desk.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const before = await spent();
  for (let at = 0; at < 20; at++) await desk.moment.fill(String((at * 4973) % 10_000));
  expect((await spent()) - before).toBeLessThan(20 * 50);
  const scrubbed = await spent();
  await desk.tab("Events").click();
  for (let page = 0; page < 20; page++) await desk.list.press("PageUp");
  expect((await spent()) - scrubbed).toBeLessThan(20 * 50);
});

/** Runs of text and state, as long as wanted. */
function longLog(count: number): string {
  const lines: object[] = [];
  for (let at = 0; lines.length < count; at++) {
    const runId = `r${at}`;
    lines.push({ type: "RUN_STARTED", threadId: "t", runId }, { type: "STATE_SNAPSHOT", snapshot: { count: 0, run: at } });
    lines.push({ type: "TEXT_MESSAGE_START", messageId: `m${at}` });
    for (let delta = 0; delta < 40; delta++) {
      lines.push({ type: "TEXT_MESSAGE_CONTENT", messageId: `m${at}`, delta: `word ${delta} ` });
      lines.push({ type: "STATE_DELTA", delta: [{ op: "replace", path: "/count", value: delta }] });
    }
    lines.push({ type: "TEXT_MESSAGE_END", messageId: `m${at}` }, { type: "RUN_FINISHED", threadId: "t", runId });
  }
  return lines.slice(0, count).map((line) => JSON.stringify(line)).join("\n");
}
