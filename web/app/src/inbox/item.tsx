/** A request as a line of the list: how much is at stake, what is asked, by whom, and how long there is. */
import type { InterruptRecord } from "@forestage/client";
import { Badge, relativeTime, useLocale, useMessages } from "@forestage/react";
import { RISK_TONES, askWords, askedOf, outcomeOf } from "@forestage/react/chat";
import { paths } from "../router.js";
import { isMine } from "../stage.js";
import { Link } from "../shell/link.js";

interface ItemProps {
  record: InterruptRecord;
  user: string | undefined;
  current: boolean;
  onGo: () => void;
}

export function Item({ record, user, current, onGo }: ItemProps) {
  const words = useMessages(askWords);
  const locale = useLocale();
  const { tool } = askedOf(record);
  const waits = record.decision === null && !isMine(record, user);
  return (
    <li>
      <Link path={paths.question(record.threadId, record.id)} className="inbox-item" current={current ? "true" : undefined} onGo={onGo}>
        <span className="inbox-item-head">
          <State record={record} user={user} />
          <Times record={record} />
        </span>
        <span className="inbox-item-title">{record.interrupt.message ?? (tool === undefined ? record.interrupt.reason : words.mayCall(tool))}</span>
        <span className="inbox-item-foot">
          {record.agent}
          {tool !== undefined && ` · ${tool}`}
          {record.decision === null && ` · ${relativeTime(record.openedAt, Date.now(), locale)}`}
        </span>
        {waits && record.mayDecide && <span className="inbox-item-foot">{words.waitingOthers(record.needs - record.votes.length)}</span>}
      </Link>
    </li>
  );
}

function State({ record, user }: { record: InterruptRecord; user: string | undefined }) {
  const words = useMessages(askWords);
  const locale = useLocale();
  if (record.decision !== null) {
    const [text, tone] = outcomeOf(record, user, words, locale);
    return <Badge tone={tone}>{text}</Badge>;
  }
  return record.risk === null ? null : <Badge tone={RISK_TONES[record.risk] ?? "neutral"}>{words.risk(record.risk)}</Badge>;
}

/** When it expires, or when it was decided. */
function Times({ record: { expiresAt, decision } }: { record: InterruptRecord }) {
  const words = useMessages(askWords);
  const locale = useLocale();
  const at = decision?.at ?? expiresAt;
  if (at === null) return null;
  const text = relativeTime(at, Date.now(), locale);
  return <span className="fs-muted">{decision === null ? words.expiresIn(text) : text}</span>;
}
