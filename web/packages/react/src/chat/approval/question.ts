/** What kind of question it is, and what an answer to it looks like. Pure. */
import type { InterruptRecord, Verdict } from "@forestage/client";
import { type Schema, schemaFor } from "../form/schema.js";

export type QuestionKind = "approval" | "draft" | "form";

export function kindOfQuestion({ interrupt: { reason, responseSchema } }: InterruptRecord): QuestionKind {
  if (reason === "draft_review" || reason === "stage_review") return "draft";
  return (responseSchema as Schema | undefined)?.properties?.["approved"] === undefined ? "form" : "approval";
}

/** What is to be called, with what; from the question itself. */
export interface Asked {
  tool: string | undefined;
  args: unknown;
  /** The schema of edited arguments; nothing if they cannot be edited. */
  argsSchema: Schema | undefined;
  /** What the arguments mean, whether or not they can be edited. */
  meaning: Schema | undefined;
  rule: string | undefined;
  remember: ("thread" | "always")[];
  onExpiry: string | undefined;
}

/** The call that a question is about, as it is in the conversation. */
export interface AskedCall {
  name: string;
  args: unknown;
}

export function askedOf({ interrupt: { metadata = {}, responseSchema } }: InterruptRecord, call?: AskedCall): Asked {
  const facts = metadata as Record<string, unknown>;
  const properties = (responseSchema as Schema | undefined)?.properties ?? {};
  const args = facts["arguments"] ?? call?.args;
  const editable = properties["editedArgs"];
  const argsSchema = editable === undefined ? undefined : editable.properties === undefined ? schemaFor(args) : editable;
  return {
    tool: text(facts["tool"]) ?? call?.name,
    args,
    argsSchema,
    meaning: argsSchema ?? (facts["parameters"] as Schema | undefined),
    rule: text(facts["rule"]),
    remember: (properties["remember"]?.enum ?? []).filter((scope) => scope === "thread" || scope === "always"),
    onExpiry: text(facts["onExpiry"]),
  };
}

export function draftOf({ private: kept }: InterruptRecord): string {
  const draft = (kept as { text?: unknown } | undefined)?.text;
  return typeof draft === "string" ? draft : "";
}

/** Who decided: everybody who agreed, where several had to, or the one who had the last word. */
export function decidersOf({ decision, votes }: InterruptRecord): string[] {
  if (decision === null) return [];
  const payload = decision.answer?.payload as { approved?: unknown } | undefined;
  return payload?.approved === true ? [...new Set([...votes.map(({ by }) => by), decision.by])] : [decision.by];
}

export interface Approval {
  args?: unknown;
  text?: string;
  reason?: string;
  remember?: "thread" | "always";
}

/** A yes or no as the server takes it. Arguments that were not changed are not sent, so they count as they were. */
export function verdictOf(approved: boolean, asked: Asked, { args, text: said, reason, remember }: Approval): Verdict {
  const edited = approved && args !== undefined && JSON.stringify(args) !== JSON.stringify(asked.args);
  return {
    approved,
    ...(edited ? { editedArgs: args } : {}),
    ...(approved && said !== undefined ? { text: said } : {}),
    ...(reason === undefined || reason === "" ? {} : { reason }),
    ...(approved && remember !== undefined ? { remember } : {}),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
