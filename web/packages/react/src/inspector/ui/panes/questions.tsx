/** Questions to people: what was shown, who decided, when; and the sealed trail of it. */
import type { InterruptRecord } from "@forestage/client";
import { useCallback, useEffect, useState } from "react";
import { regional, useLocale, useMessages } from "../../../i18n/index.js";
import { Badge, IconButton, type Tone } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { isObject, type Json, objectOf, textOf } from "../../log/json.js";
import { clock } from "../../log/time.js";
import { type AuditEntry, deskOf } from "../../source/server.js";
import { useInspected, useInspection } from "../../store/context.js";
import { Empty } from "../parts/empty.js";
import { Id } from "../parts/id.js";
import { JsonTree } from "../parts/json-tree.js";

interface Desk {
  interrupts: InterruptRecord[];
  trail: AuditEntry[];
}

export function QuestionsPane() {
  const t = useMessages(words);
  const source = useInspected((state) => state.source);
  const { desk, failure, refresh } = useDesk();
  if (source.kind === "recording") return <Empty icon="shield" title={t.noAudit} />;
  if (failure !== null) return <Empty icon="error" title={failure} />;
  if (desk === null) return <Empty icon="clock" title={t.connecting} />;
  if (desk.interrupts.length + desk.trail.length === 0) return <Empty icon="shield" title={t.noQuestions} hint={t.noQuestionsHint} />;
  return (
    <section className="fi-scroll" aria-label={t.questions} tabIndex={0}>
      {desk.interrupts.map((record) => (
        <Question key={record.id} record={record} />
      ))}
      <header className="fi-pane-head">
        <h3>{t.trail}</h3>
        <IconButton icon="redo" size="sm" label={t.refresh} onPress={refresh} />
      </header>
      <ol className="fi-trail">
        {desk.trail.map((entry) => (
          <TrailLine key={entry.seq} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

/** Read again whenever a run begins or ends: that is when questions are asked and answered. */
function useDesk() {
  const { api } = useInspection();
  const source = useInspected((state) => state.source);
  const turns = useInspected((state) => `${state.runs.length} ${state.runs.filter((run) => run.endedAt !== null).length}`);
  const [desk, setDesk] = useState<Desk | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const threadId = source.kind === "thread" ? source.threadId : null;
  const refresh = useCallback(() => {
    if (threadId === null) return;
    deskOf(api, threadId).then(
      (found) => {
        setDesk(found);
        setFailure(null);
      },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  }, [api, threadId]);
  useEffect(refresh, [refresh, turns]);
  return { desk, failure, refresh };
}

const TONES: Record<string, Tone | undefined> = { resolved: "good", cancelled: "neutral", expired: "bad" };

function Question({ record }: { record: InterruptRecord }) {
  const t = useMessages(words);
  const locale = useLocale();
  const { decision, interrupt } = record;
  const statuses = { resolved: t.resolved, cancelled: t.cancelled, expired: t.expired };
  const at = new Intl.DateTimeFormat(regional(locale), { dateStyle: "medium", timeStyle: "medium" });
  return (
    <article className="fi-card">
      <header className="fi-card-head">
        <Badge tone={decision === null ? "warn" : (TONES[decision.status] ?? "neutral")}>{decision === null ? t.open : statuses[decision.status]}</Badge>
        {record.risk !== null && <Badge tone={record.risk === "high" || record.risk === "critical" ? "bad" : "neutral"}>{record.risk}</Badge>}
        <Id value={record.id} />
      </header>
      <p className="fi-said">{interrupt.message ?? interrupt.reason}</p>
      <p className="fi-quiet">
        {t.asked} {at.format(record.openedAt)}
        {decision !== null && ` · ${t.decidedBy(decision.by)} · ${at.format(decision.at)}`}
        {record.needs > 1 && ` · ${t.needs(record.needs)}`}
      </p>
      {record.votes.length > 0 && (
        <p className="fi-quiet">
          {t.votes}: {record.votes.map((vote) => `${vote.by} ${clock(vote.at)}`).join(", ")}
        </p>
      )}
      <div className="fi-columns">
        <div>
          <h3 className="fi-label">{t.shown}</h3>
          <JsonTree value={interrupt as unknown as Json} label={t.shown} depth={1} />
        </div>
        {decision?.answer !== undefined && (
          <div>
            <h3 className="fi-label">{t.answer}</h3>
            <JsonTree value={decision.answer as Json} label={t.answer} depth={3} />
          </div>
        )}
      </div>
    </article>
  );
}

function TrailLine({ entry }: { entry: AuditEntry }) {
  const t = useMessages(words);
  return (
    <li>
      <header>
        <span className="fi-row-time">{clock(entry.at)}</span>
        <Badge tone={entry.kind === "decided" ? "good" : entry.kind === "refused" ? "bad" : "neutral"}>{entry.kind}</Badge>
        <span>
          {entry.actor} <span className="fi-quiet">{entry.origin}</span>
        </span>
        <span className="fi-spring" />
        <span className="fi-quiet">{t.seal}</span> <Id value={entry.hash} />
      </header>
      {about(entry.detail) !== undefined && <p className="fi-said">{about(entry.detail)}</p>}
      <JsonTree value={entry.detail} label={entry.kind} depth={0} />
    </li>
  );
}

/** What it was about, in the words that were shown. */
function about(detail: Json): string | undefined {
  return isObject(detail) ? (textOf(objectOf(detail, "shown"), "message") ?? textOf(detail, "runId")) : undefined;
}
