/** A question that has its answer: what became of it, who decided, when, why, and what they made of it. */
import type { InterruptRecord } from "@forestage/client";
import { type ReactNode, Suspense, lazy } from "react";
import { type Locale, clock, useLocale, useMessages } from "../../i18n/index.js";
import { Badge, type Tone } from "../../ui/index.js";
import { Arguments } from "./arguments.js";
import { type AskedCall, askedOf, decidersOf, draftOf, kindOfQuestion } from "./question.js";
import { askWords } from "./words.js";

const TextDiff = lazy(async () => ({ default: (await import("./diff.js")).TextDiff }));

interface DecidedProps {
  record: InterruptRecord;
  user: string | undefined;
  call?: AskedCall | undefined;
  /** Where it led, where that is elsewhere. */
  children?: ReactNode;
}

export function Decided({ record, user, call, children }: DecidedProps) {
  const messages = useMessages(askWords);
  const locale = useLocale();
  const { decision } = record;
  if (decision === null) return null;
  const answer = answerOf(record);
  const { tool } = askedOf(record, call);
  const [text, tone] = outcomeOf(record, user, messages, locale);
  return (
    <div className="fs-decided" data-testid="decided">
      <p>
        <Badge tone={tone} icon={tone === "good" ? "check" : tone === "bad" ? "close" : "clock"}>
          {text}
        </Badge>{" "}
        {tool !== undefined && <code>{tool}</code>} <time dateTime={new Date(decision.at).toISOString()}>{clock(decision.at, Date.now(), locale)}</time>
      </p>
      {typeof answer["reason"] === "string" && (
        <blockquote>
          <span className="fs-visually-hidden">{messages.reason}: </span>
          {answer["reason"]}
        </blockquote>
      )}
      <Content record={record} call={call} />
      {children}
    </div>
  );
}

/** What was decided about, with the difference from what was proposed. */
function Content({ record, call }: Pick<DecidedProps, "record" | "call">) {
  const messages = useMessages(askWords);
  const { args, meaning } = askedOf(record, call);
  const answer = answerOf(record);
  const kind = kindOfQuestion(record);
  if (kind === "draft") return typeof answer["text"] === "string" ? <Suspense><TextDiff before={draftOf(record)} after={answer["text"]} label={messages.changes} /></Suspense> : null;
  if (kind === "approval") return args === undefined ? null : <Arguments args={args} edited={answer["editedArgs"]} schema={meaning} />;
  const payload = record.decision?.answer?.payload;
  return payload === undefined ? null : <Arguments args={payload} schema={record.interrupt.responseSchema as Parameters<typeof Arguments>[0]["schema"]} />;
}

function answerOf({ decision }: InterruptRecord): Record<string, unknown> {
  const payload = decision?.answer?.payload;
  return (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>;
}

type Messages = ReturnType<typeof useMessages<(typeof askWords)["en"]>>;

/** What became of a question, in words and as a colour. */
export function outcomeOf(record: InterruptRecord, user: string | undefined, messages: Messages, locale: Locale): [string, Tone] {
  const { decision } = record;
  const names = decidersOf(record).map((name) => (name === user ? messages.you : name));
  const who = new Intl.ListFormat(locale).format(names);
  const answer = answerOf(record);
  if (decision?.status === "expired") return [messages.nobodyDecided, "warn"];
  if (decision?.status === "cancelled") return [messages.withdrawnBy(who), "neutral"];
  if (answer["approved"] === true) return [messages.approvedBy(who), "good"];
  if (answer["approved"] === false) return [messages.rejectedBy(who), "bad"];
  return [messages.answeredBy(who), "good"];
}
