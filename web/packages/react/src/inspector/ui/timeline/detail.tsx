/** Everything about one event. */
import type { ReactNode } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Button, Icon, IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { diff } from "../../log/diff.js";
import type { Entry } from "../../log/entry.js";
import { parsed } from "../../log/json.js";
import { deltaKey } from "../../log/rows.js";
import { clock, relative } from "../../log/time.js";
import { useFindings, useInspected, useInspection } from "../../store/context.js";
import { BranchButton } from "../parts/branch-button.js";
import { Copy } from "../parts/copy.js";
import { DiffList } from "../parts/diff-list.js";
import { Id } from "../parts/id.js";
import { JsonTree } from "../parts/json-tree.js";
import { TypeBadge } from "../parts/type-badge.js";

export function Detail({ entry }: { entry: Entry }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const count = useInspected(({ log, version }) => (version >= 0 ? log.entries.length : 0));
  return (
    <section className="fi-detail" aria-label={t.eventOf(entry.index + 1, count)}>
      <header className="fi-detail-head">
        <TypeBadge type={entry.event.type} />
        <span className="fi-quiet">#{entry.index + 1}</span>
        <span className="fi-spring" />
        {entry.cursor !== null && <Copy icon="link" label={t.copyLink} text={() => linkTo(entry)} />}
        <Copy text={() => JSON.stringify(entry.event, null, 2)} />
        <IconButton icon="close" size="sm" label={t.closeDetail} onPress={() => inspection.select(null)} />
      </header>
      <div className="fi-detail-body" tabIndex={0} role="group" aria-label={t.event}>
        <Findings index={entry.index} />
        <Facts entry={entry} />
        <div className="fi-actions">
          <Button size="sm" icon="clock" onPress={() => inspection.seek(entry.index)}>
            {t.showMoment}
          </Button>
          {entry.runId !== null && (
            <Button size="sm" kind="quiet" icon="search" onPress={() => inspection.filter({ runId: entry.runId })}>
              {t.onlyThisRun}
            </Button>
          )}
          {entry.runId !== null && <BranchButton point={{ runId: entry.runId }} />}
        </div>
        <StateChange entry={entry} />
        <Joined entry={entry} />
        <h3 className="fi-label">{t.json}</h3>
        <JsonTree value={entry.event} label={entry.event.type} depth={3} />
      </div>
    </section>
  );
}

/** The address of this page with the event in it; whoever opens it sees the event. */
function linkTo({ cursor }: Entry): string {
  return new URL(`#event=${encodeURIComponent(cursor ?? "")}`, location.href).href;
}

function Findings({ index }: { index: number }) {
  const found = useFindings().get(index) ?? [];
  return found.map((finding) => (
    <p key={finding.code + finding.message} className="fi-finding" data-severity={finding.severity}>
      <Icon name={finding.severity === "error" ? "error" : "warning"} />
      <span>
        <code>{finding.code}</code> {finding.message}
        {finding.path !== undefined && <code> {finding.path}</code>}
      </span>
    </p>
  ));
}

function Facts({ entry }: { entry: Entry }) {
  const t = useMessages(words);
  const id = (value: string | null) => (value === null ? null : <Id value={value} />);
  const facts: [string, ReactNode][] = [
    [t.time, isDated(entry) ? `${clock(entry.at)}  ${relative(entry.since)}` : relative(entry.since)],
    [t.run, id(entry.runId)],
    [t.from, entry.subagent],
    [t.cursor, id(entry.cursor)],
  ];
  return (
    <dl className="fi-facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A recording may have kept no times; what it is given instead has no date. */
function isDated({ at }: Entry): boolean {
  return at > 1e11;
}

function StateChange({ entry }: { entry: Entry }) {
  const t = useMessages(words);
  const { history } = useInspected((state) => state.log);
  if (!entry.event.type.startsWith("STATE_")) return null;
  const changes = diff(history.after(entry.index - 1).state, history.after(entry.index).state);
  return (
    <>
      <h3 className="fi-label">{t.changes}</h3>
      <DiffList changes={changes} />
    </>
  );
}

/** The whole text of the deltas that this one belongs to; arguments that are JSON by now are shown as such. */
function Joined({ entry }: { entry: Entry }) {
  const t = useMessages(words);
  const rows = useInspected((state) => state.rows);
  const row = deltaKey(entry) === null ? undefined : rows.find(({ from, to }) => from <= entry.index && entry.index <= to);
  if (row === undefined || row.text === null || row.from === row.to) return null;
  const value = entry.event.type.startsWith("TOOL_CALL") ? parsed(row.text) : undefined;
  return (
    <>
      <h3 className="fi-label">
        {t.joinedText} · {t.deltas(row.to - row.from + 1)}
      </h3>
      {value === undefined ? <p className="fi-joined">{row.text}</p> : <JsonTree value={value} label={t.joinedText} depth={4} />}
    </>
  );
}
