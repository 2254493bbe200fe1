/** The shared state as of the moment that is shown, and how it came to be. */
import { useMemo } from "react";
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { type Change, diff } from "../../log/diff.js";
import type { Entry } from "../../log/entry.js";
import type { History } from "../../log/history.js";
import { isEqual, isObject } from "../../log/json.js";
import { relative } from "../../log/time.js";
import { useInspected, useInspection, useMoment, useView } from "../../store/context.js";
import { Copy } from "../parts/copy.js";
import { DiffList } from "../parts/diff-list.js";
import { Empty } from "../parts/empty.js";
import { JsonTree } from "../parts/json-tree.js";
import { Split } from "../parts/split.js";
import { TypeBadge } from "../parts/type-badge.js";

/** Older changes than these are found in the timeline. */
const MOST = 200;

export function StatePane() {
  const t = useMessages(words);
  const { state } = useView();
  const moment = useMoment();
  const steps = useSteps();
  const isEmpty = isObject(state) && isEqual(state, {});
  if (isEmpty && steps.length === 0) return <Empty icon="gallery" title={t.noState} hint={t.noStateHint} />;
  const latest = steps.findLast(({ entry }) => entry.index <= moment);
  return (
    <Split
      first={
        <section className="fi-scroll" aria-label={t.stateThen} tabIndex={0}>
          <header className="fi-pane-head">
            <h3>{t.stateThen}</h3>
            <Copy text={() => JSON.stringify(state, null, 2)} />
          </header>
          <JsonTree value={state} label={t.stateThen} changes={latest?.changes ?? []} depth={4} key={latest?.entry.index} />
        </section>
      }
      second={steps.length === 0 ? null : <Steps steps={steps} current={latest?.entry.index ?? -1} />}
    />
  );
}

interface Step {
  entry: Entry;
  changes: Change[];
}

/** Every event that is about the state, with what it changed. */
function useSteps(): Step[] {
  const log = useInspected((state) => state.log);
  const version = useInspected((state) => state.version);
  return useMemo(() => (version >= 0 ? stepsOf(log.entries, log.history) : []), [log, version]);
}

/** What an event changed never changes, so it is found out once. */
const KNOWN = new WeakMap<Entry, Step>();

function stepsOf(entries: readonly Entry[], history: History): Step[] {
  const about = entries.filter(({ event }) => event.type.startsWith("STATE_")).slice(-MOST);
  return about.map((entry) => {
    const known = KNOWN.get(entry);
    if (known !== undefined) return known;
    const before = history.after(entry.index - 1).state;
    const step = { entry, changes: diff(before, history.after(entry.index).state) };
    KNOWN.set(entry, step);
    return step;
  });
}

function Steps({ steps, current }: { steps: readonly Step[]; current: number }) {
  const t = useMessages(words);
  const inspection = useInspection();
  return (
    <section className="fi-scroll" aria-label={t.stateChanges} tabIndex={0}>
      <header className="fi-pane-head">
        <h3>{t.stateChanges}</h3>
        <span className="fi-quiet">{steps.length}</span>
      </header>
      <ol className="fi-steps">
        {steps.toReversed().map(({ entry, changes }) => (
          <li key={entry.index} data-current={entry.index === current ? "" : undefined} data-later={entry.index > current ? "" : undefined}>
            <button type="button" className="fi-step" aria-current={entry.index === current ? "step" : undefined} onClick={() => inspection.hold(entry.index)}>
              <TypeBadge type={entry.event.type} />
              <span className="fi-quiet">
                #{entry.index + 1} · {relative(entry.since)}
              </span>
            </button>
            <DiffList changes={changes} />
          </li>
        ))}
      </ol>
    </section>
  );
}
