/** The recorded runs that the whole project is held to, as the inspector reads them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../log/json.js";
import type { WireEvent } from "../log/entry.js";

const FOLDER = join(import.meta.dirname, "../../../../../../spec/streams/");

export interface Case {
  name: string;
  stream: WireEvent[];
  expect: { error: JsonObject | null; warnings: Json[]; messages: Json[]; state: Json; compacted: WireEvent[] };
}

/** All cases. */
export const CASES: readonly Case[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => ({ name: file.replace(".json", ""), ...(JSON.parse(readFileSync(FOLDER + file, "utf8")) as Omit<Case, "name">) }));

/** Cases in today's shapes without faults: those that a log can hold. */
export const LEGAL = CASES.filter(({ name, expect }) => expect.error === null && !["retired-shapes", "unknown-things"].includes(name));
