/** The runs: how each went, how long it took, what it cost, and which one it follows. */
import { type ReactNode, useMemo } from "react";
import { count, useLocale, useMessages } from "../../../i18n/index.js";
import { Badge, Button, Icon, type Tone } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { type Branch, type Run, type RunStatus, treeOf } from "../../log/runs.js";
import { duration } from "../../log/time.js";
import { useInspected, useInspection } from "../../store/context.js";
import { BranchButton } from "../parts/branch-button.js";
import { Empty } from "../parts/empty.js";
import { Id } from "../parts/id.js";

const TONES: Record<RunStatus, Tone> = { running: "info", success: "good", interrupt: "warn", cancelled: "neutral", error: "bad" };

export function RunsPane() {
  const t = useMessages(words);
  const runs = useInspected((state) => state.runs);
  const lines = useMemo(() => treeOf(runs), [runs]);
  const longest = Math.max(1, ...runs.map((run) => (run.endedAt ?? run.startedAt) - run.startedAt));
  if (runs.length === 0) return <Empty icon="inspect" title={t.noRuns} />;
  return (
    <section className="fi-scroll" aria-label={t.runs} tabIndex={0}>
      <ol className="fi-runs">
        {lines.map((line) => (
          <RunLine key={`${line.run.id} ${line.run.from}`} line={line} longest={longest} />
        ))}
      </ol>
    </section>
  );
}

function RunLine({ line: { run, depth, isFork }, longest }: { line: Branch; longest: number }) {
  const t = useMessages(words);
  const locale = useLocale();
  const statuses: Record<RunStatus, string> = { running: t.running, success: t.success, interrupt: t.interrupt, cancelled: t.cancelled, error: t.runError };
  const took = run.endedAt === null ? null : run.endedAt - run.startedAt;
  return (
    <li className="fi-card fi-run" style={{ marginInlineStart: `${depth * 1.25}rem` }} data-fork={isFork ? "" : undefined}>
      <header className="fi-card-head">
        <Badge tone={TONES[run.status]}>{statuses[run.status]}</Badge>
        <Id value={run.id} />
        {run.agent !== null && <span className="fi-run-agent">{run.agent}</span>}
        {isFork && (
          <span className="fi-quiet fi-run-fork">
            <Icon name="branch" /> {t.fork}
          </span>
        )}
        <span className="fi-spring" />
        <Actions run={run} />
      </header>
      <div className="fi-run-facts">
        <span className="fi-run-bar" aria-hidden="true">
          <span style={{ width: `${Math.max(2, ((took ?? longest) / longest) * 100)}%` }} data-status={run.status} />
        </span>
        <Fact name={t.duration} value={took === null ? "…" : duration(took)} />
        <Fact name={t.tokens} value={run.tokens === null ? "–" : count(run.tokens, locale)} />
        <Fact name={t.events} value={count(run.to - run.from + 1, locale)} />
        {run.parentId !== null && <Fact name={t.parent} value={<Id value={run.parentId} />} />}
      </div>
      {run.error !== null && <p className="fi-finding" data-severity="error">{run.error}</p>}
    </li>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <span className="fi-fact">
      <span className="fi-quiet">{name}</span> <bdi>{value}</bdi>
    </span>
  );
}

function Actions({ run }: { run: Run }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const source = useInspected((state) => state.source);
  const show = () => {
    inspection.filter({ runId: run.id });
    inspection.show("events");
  };
  return (
    <>
      <Button size="sm" kind="quiet" icon="search" onPress={show}>
        {t.events}
      </Button>
      {run.status === "running" && source.kind === "thread" && (
        <Button size="sm" kind="danger" icon="stop" onPress={() => void inspection.api.cancel(source.threadId, run.id)}>
          {t.cancelRun}
        </Button>
      )}
      {run.status !== "running" && <BranchButton point={{ runId: run.id }} />}
    </>
  );
}
