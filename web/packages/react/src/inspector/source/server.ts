/** What the inspector asks the server beside the log itself. */
import type { Api, InterruptRecord, Thread } from "@forestage/client";
import type { WireEvent } from "../log/entry.js";
import type { Finding } from "../log/findings.js";
import { type Json, parsed } from "../log/json.js";
import { write } from "../log/recording.js";

export interface Judgement {
  ok: boolean;
  events: number;
  runs: number;
  findings: Finding[];
}

/** Holds events against the rules. */
export async function verify(api: Api, events: readonly WireEvent[]): Promise<Judgement> {
  return (await post(api, "/v1/streams/verify", write(events))).json() as Promise<Judgement>;
}

/** Makes a thread of a recording. */
export async function importThread(api: Api, threadId: string, agent: string, events: readonly WireEvent[]): Promise<Thread> {
  const path = `/v1/threads/${encodeURIComponent(threadId)}/import?agent=${encodeURIComponent(agent)}`;
  return (await post(api, path, write(events))).json() as Promise<Thread>;
}

function post(api: Api, path: string, body: string): Promise<Response> {
  return api.fetch(path, { method: "POST", headers: { "content-type": "application/x-ndjson" }, body });
}

/** One line of the audit trail. */
export interface AuditEntry {
  seq: number;
  at: number;
  kind: string;
  actor: string | null;
  origin: string | null;
  interruptId: string | null;
  /** What was shown and decided, as it was sealed. */
  detail: Json;
  hash: string;
}

/** The questions of a thread with their decisions, and the trail of what was done about them. */
export async function deskOf(api: Api, threadId: string): Promise<{ interrupts: InterruptRecord[]; trail: AuditEntry[] }> {
  const [{ interrupts }, { entries }] = await Promise.all([
    api.interrupts({ thread: threadId, decided: true, limit: 1000 }),
    api.get<{ entries: (Omit<AuditEntry, "detail"> & { json: string })[] }>("/v1/audit", { thread: threadId, limit: 1000 }),
  ]);
  return { interrupts, trail: entries.map(({ json, ...entry }) => ({ ...entry, detail: parsed(json) ?? json })) };
}
