/**
 * A question to a person, where it was asked and in the inbox alike: what is to be done, how much is at stake, and the
 * answer. Ctrl+Enter says yes, Escape says no, arrows go to the next question.
 */
import type { Api, InterruptRecord } from "@forestage/client";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { duration, useLocale, useMessages } from "../../i18n/index.js";
import { Badge, Icon, type Tone } from "../../ui/index.js";
import { ApprovalForm } from "./approval-form.js";
import { Arguments } from "./arguments.js";
import { Decided } from "./decided.js";
import { DraftForm } from "./draft-form.js";
import { type AskedCall, askedOf, kindOfQuestion } from "./question.js";
import { QuestionForm } from "./question-form.js";
import { useNow } from "./use-countdown.js";
import { askWords } from "./words.js";
import "./approval.css";

export interface QuestionCardProps {
  record: InterruptRecord;
  api: Api;
  /** Who we are, so that "you" is said of us. */
  user: string | undefined;
  onDecided: (record: InterruptRecord) => void;
  /** The call that it is about, where the question itself does not say. */
  call?: AskedCall | undefined;
  /** What stands below a decision, such as a link to where it led. */
  result?: ReactNode;
  /** Takes the focus when it appears, unless somebody is writing. */
  grabsFocus?: boolean;
}

/** How serious a risk is, as a colour. */
export const RISK_TONES: Record<string, Tone> = { low: "good", medium: "info", high: "warn", critical: "bad" };

export function QuestionCard(props: QuestionCardProps) {
  const { record, user, grabsFocus = false } = props;
  const card = useRef<HTMLElement>(null);
  const messages = useMessages(askWords);
  const open = record.decision === null;
  useEffect(() => {
    const active = document.activeElement;
    const isWriting = active instanceof HTMLTextAreaElement && active.value !== "";
    if (grabsFocus && open && !isWriting) card.current?.focus({ preventScroll: true });
  }, [grabsFocus, open, record.id]);
  const kind = kindOfQuestion(record);
  const title = { draft: messages.draft, approval: messages.needsYou, form: messages.question }[kind];
  return (
    <section
      ref={card}
      id={anchorOf(record.id)}
      className="fs-question"
      data-open={open}
      data-risk={record.risk ?? "none"}
      data-question={record.id}
      tabIndex={-1}
      aria-label={`${open ? title : messages.decided}: ${record.interrupt.message ?? record.interrupt.reason}`}
      onKeyDown={(event) => onCardKey(event, card.current)}
    >
      {open ? <Open {...props} title={title} /> : <Decided record={record} user={user} call={props.call}>{props.result}</Decided>}
    </section>
  );
}

/** The id of a question's card, so that an address can point at it. */
export function anchorOf(id: string): string {
  return `question-${id}`;
}

function Open({ title, ...props }: QuestionCardProps & { title: string }) {
  const { record, user, call } = props;
  const messages = useMessages(askWords);
  const { tool, rule, args, meaning } = askedOf(record, call);
  const kind = kindOfQuestion(record);
  const voted = record.votes.some(({ by }) => by === user);
  const Form = kind === "approval" ? ApprovalForm : kind === "draft" ? DraftForm : QuestionForm;
  return (
    <>
      <header>
        <Icon name={kind === "draft" ? "edit" : "shield"} />
        <strong>{title}</strong>
        {record.risk !== null && <Badge tone={RISK_TONES[record.risk] ?? "neutral"}>{messages.risk(record.risk)}</Badge>}
        {record.needs > 1 && <Badge icon="user">{messages.agreed(record.votes.length, record.needs)}</Badge>}
        <Countdown record={record} />
      </header>
      <p className="fs-asked">
        {record.interrupt.message ?? (tool === undefined ? record.interrupt.reason : messages.mayCall(tool))}
      </p>
      <p className="fs-muted">
        {messages.asks(record.agent)}
        {tool !== undefined && (
          <>
            {" · "}
            <code>{tool}</code>
          </>
        )}
        {rule !== undefined && ` · ${messages.rule(rule)}`}
      </p>
      {record.mayDecide && !voted ? (
        <Form {...props} />
      ) : (
        <div className="fs-answer">
          {kind === "approval" && args !== undefined && <Arguments args={args} schema={meaning} />}
          <p className="fs-note">{voted ? messages.waitingFor(record.needs - record.votes.length) : messages.forRole(record.role ?? "")}</p>
        </div>
      )}
    </>
  );
}

function Countdown({ record: { expiresAt, ...record } }: { record: InterruptRecord }) {
  const messages = useMessages(askWords);
  const locale = useLocale();
  const now = useNow(expiresAt !== null);
  if (expiresAt === null) return null;
  const left = expiresAt - now;
  const after = messages.onExpiry(askedOf({ expiresAt, ...record }).onExpiry ?? "");
  const text = left <= 0 ? messages.expired : messages.closesIn(left > 3_600_000 ? hours(left) : duration(left, locale));
  return (
    <span className="fs-countdown" data-soon={left < 60_000} title={after}>
      <Icon name="clock" /> {text}
    </span>
  );
}

function hours(ms: number): string {
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
}

/** Keys on the card itself; what is inside of it has its own. */
function onCardKey(event: KeyboardEvent, card: HTMLElement | null): void {
  if (event.target !== card || card === null) return;
  const press = (kind: string) => card.querySelector<HTMLElement>(`[data-kind="${kind}"]`)?.click();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) press("primary");
  else if (event.key === "Escape") press("danger");
  else if (event.key === "ArrowDown") toNeighbour(card, 1);
  else if (event.key === "ArrowUp") toNeighbour(card, -1);
  else return;
  event.preventDefault();
}

function toNeighbour(card: HTMLElement, step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(".fs-question[data-open='true']")];
  const next = all[all.indexOf(card) + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
