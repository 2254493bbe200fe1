// @ts-check
/**
 * The two transports, byte by byte: what the official packages write, forestage reads,
 * and the other way round, for every event type.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProtoStream, parseSSEStream } from "@ag-ui/client";
import { EventEncoder } from "@ag-ui/encoder";
import { AGUI_MEDIA_TYPE } from "@ag-ui/proto";
import { convert, jsonLines, missing, toJsonLines } from "../src/forestage.mjs";
import { afterProtobuf } from "../src/proto-losses.mjs";
import { settings } from "../src/random.mjs";
import { rxjs } from "../src/rxjs.mjs";
import { eventTypes, sampleEvents } from "../src/sample-events.mjs";

const skip = missing("convert", "--to");
const events = sampleEvents(settings.seed, 40);
const encoder = new EventEncoder({ accept: AGUI_MEDIA_TYPE });
const officialFrames = Buffer.concat(events.map((event) => encoder.encodeProtobuf(event)));
const officialSse = events.map((event) => encoder.encodeSSE(event)).join("");

test("the samples cover all 31 event types", () => {
  assert.equal(eventTypes.length, 31);
  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(eventTypes));
});

test("the documented protobuf losses are exactly those of the official packages", async () => {
  compareEach(await readOfficially(parseProtoStream, officialFrames));
});

test("official protobuf frames read as the same events", { skip }, async () => {
  compareEach(jsonLines(await convert(officialFrames, { from: "proto", to: "jsonl" })));
});

test("our protobuf frames read as the same events in the official decoder", { skip }, async () => {
  const frames = await convert(toJsonLines(events), { from: "jsonl", to: "proto", enforce: true });
  compareEach(await readOfficially(parseProtoStream, frames));
});

test("what protobuf cannot carry is refused unless asked otherwise, and nothing else is", { skip }, async () => {
  const carried = events.map(afterProtobuf);
  const frames = await convert(toJsonLines(carried), { from: "jsonl", to: "proto" });
  compareEach(await readOfficially(parseProtoStream, frames));
  const extended = { type: "STATE_DELTA", delta: [{ op: "remove", path: "/a", note: "foreign" }] };
  await assert.rejects(convert(toJsonLines([extended]), { from: "jsonl", to: "proto" }), /proto_lossy/);
});

test("official SSE reads as the same events", { skip }, async () => {
  compareEach(jsonLines(await convert(officialSse, { from: "sse", to: "jsonl" })), exactly);
});

test("our SSE reads as the same events in the official reader", { skip }, async () => {
  const bytes = await convert(toJsonLines(events), { from: "jsonl", to: "sse" });
  compareEach(await readOfficially(parseSSEStream, bytes), exactly);
});

test("a stream survives every conversion and back", { skip }, async () => {
  for (const format of ["jsonl", "json", "sse", "proto"]) {
    const there = await convert(toJsonLines(events), { from: "jsonl", to: format, enforce: format === "proto" });
    const back = jsonLines(await convert(there, { from: format, to: "jsonl" }));
    compareEach(back, format === "proto" ? afterProtobuf : exactly);
  }
});

/** @param {any} event */
const exactly = (event) => event;

/** One by one, so that a failure names an event and not a stream. @param {any[]} read @param {(event: any) => any} [carried] */
function compareEach(read, carried = afterProtobuf) {
  read.forEach((event, index) => assert.deepEqual(carried(event), carried(events[index])));
  assert.equal(read.length, events.length);
}

/** Reads bytes with a parser of the official client, in pieces as a network would cut them. @param {any} parse @param {Buffer} bytes @returns {Promise<any[]>} */
async function readOfficially(parse, bytes) {
  const response = new rxjs.Subject();
  const all = rxjs.lastValueFrom(parse(response).pipe(rxjs.toArray()));
  response.next({ type: "headers", status: 200, headers: new Headers() });
  for (let at = 0; at < bytes.length; at += 1000) response.next({ type: "data", data: bytes.subarray(at, at + 1000) });
  response.complete();
  return JSON.parse(JSON.stringify(await all));
}
