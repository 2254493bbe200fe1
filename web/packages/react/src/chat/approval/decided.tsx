/** A question that has its answer: who, when, the arguments with what was changed, and the reason. */
import type { InterruptRecord } from "@forestage/client";
import { clock, useLocale, useMessages } from "../../i18n/index.js";
import { Badge, type Tone } from "../../ui/index.js";
import { Arguments } from "./arguments.js";
import { type AskedCall, askedOf, kindOfQuestion } from "./question.js";
import { askWords } from "./words.js";

export function Decided({ record, user, call }: { record: InterruptRecord; user: string | undefined; call?: AskedCall | undefined }) {
  const messages = useMessages(askWords);
  const locale = useLocale();
  const { decision } = record;
  if (decision === null) return null;
  const payload = decision.answer?.payload;
  const answer = (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>;
  const who = decision.by === user ? messages.you : decision.by;
  const { tool, args } = askedOf(record, call);
  const [text, tone] = saidOf(record, answer, who, messages);
  return (
    <div className="fs-decided" data-testid="decided">
      <p>
        <Badge tone={tone} icon={tone === "good" ? "check" : tone === "bad" ? "close" : "clock"}>
          {text}
        </Badge>{" "}
        {tool !== undefined && <code>{tool}</code>} <time dateTime={new Date(decision.at).toISOString()}>{clock(decision.at, Date.now(), locale)}</time>
      </p>
      {typeof answer["reason"] === "string" && <blockquote>{answer["reason"]}</blockquote>}
      {kindOfQuestion(record) === "approval" && args !== undefined && <Arguments args={args} edited={answer["editedArgs"]} />}
      {kindOfQuestion(record) === "form" && payload !== undefined && <Arguments args={payload} />}
    </div>
  );
}

type Messages = ReturnType<typeof useMessages<(typeof askWords)["en"]>>;

function saidOf({ decision }: InterruptRecord, answer: Record<string, unknown>, who: string, messages: Messages): [string, Tone] {
  if (decision?.status === "expired") return [messages.nobodyDecided, "warn"];
  if (decision?.status === "cancelled") return [messages.withdrawnBy(who), "neutral"];
  if (answer["approved"] === true) return [messages.approvedBy(who), "good"];
  if (answer["approved"] === false) return [messages.rejectedBy(who), "bad"];
  return [messages.answeredBy(who), "good"];
}
