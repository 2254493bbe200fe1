/** What the timeline shows: words, families, a run, an agent, findings. */
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Icon, IconButton, Select } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { FAMILIES, type Family } from "../../log/family.js";
import { isEverything } from "../../log/filter.js";
import { useInspected, useInspection } from "../../store/context.js";
import { runOptions } from "../parts/run-options.js";

/** The choice that filters nothing; no run and no agent is called so. */
const ALL = "*";

export function FilterBar({ shown }: { shown: number }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const filter = useInspected((state) => state.filter);
  const count = useInspected((state) => state.rows.length);
  const settings = useInspected((state) => state.settings);
  const box = useRef<HTMLInputElement>(null);
  const clear = () => {
    inspection.filter({ hidden: [], runId: null, agent: null, search: "", findingsOnly: false });
    // The button is gone then, and whoever pressed it should not be lost.
    box.current?.focus();
  };
  return (
    <div className="fi-filter">
      <div className="fi-filter-line">
        <Search box={box} />
        <RunPicker />
        <AgentPicker />
        <IconButton
          icon="queue"
          size="sm"
          label={t.joinDeltas}
          kind={settings.joined ? "plain" : "quiet"}
          aria-pressed={settings.joined}
          onPress={() => inspection.set({ ...settings, joined: !settings.joined })}
        />
        <FindingsToggle />
        {!isEverything(filter) && (
          <>
            <span className="fi-quiet fi-filter-count">{t.shownOf(shown, count)}</span>
            <IconButton icon="close" size="sm" label={t.clearFilter} onPress={clear} />
          </>
        )}
      </div>
      <div className="fi-filter-families" role="group" aria-label={t.families}>
        {FAMILIES.map((family) => (
          <FamilyToggle key={family} family={family} />
        ))}
      </div>
    </div>
  );
}

function Search({ box }: { box: RefObject<HTMLInputElement | null> }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const search = useInspected((state) => state.filter.search);
  // A slash is for the search, pressed in the inspector or nowhere in particular.
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isHere = event.target === document.body || box.current?.closest(".fi")?.contains(event.target as Node) === true;
      if (event.key !== "/" || !isHere || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [box]);
  return (
    <label className="fi-search">
      <Icon name="search" />
      <span className="fi-visually-hidden">{t.search}</span>
      <input
        ref={box}
        type="search"
        value={search}
        placeholder={t.searchHint}
        onChange={({ target }) => inspection.filter({ search: target.value })}
      />
    </label>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

function RunPicker() {
  const t = useMessages(words);
  const inspection = useInspection();
  const runs = useInspected((state) => state.runs);
  const runId = useInspected((state) => state.filter.runId);
  if (runs.length < 2) return null;
  return (
    <Select
      className="fi-select"
      size="sm"
      aria-label={t.byRun}
      value={runId ?? ALL}
      options={[{ value: ALL, label: t.allRuns }, ...runOptions(runs)]}
      onChange={(chosen) => inspection.filter({ runId: chosen === ALL ? null : chosen })}
    />
  );
}

function AgentPicker() {
  const t = useMessages(words);
  const inspection = useInspection();
  const runs = useInspected((state) => state.runs);
  const log = useInspected((state) => state.log);
  const agent = useInspected((state) => state.filter.agent);
  const agents = useMemo(() => {
    const ofRuns = runs.flatMap((run) => (run.agent === null ? [] : [run.agent]));
    return [...new Set([...ofRuns, ...log.subagents])];
  }, [runs, log]);
  if (agents.length < 2) return null;
  return (
    <Select
      className="fi-select"
      size="sm"
      aria-label={t.byAgent}
      value={agent ?? ALL}
      options={[{ value: ALL, label: t.allAgents }, ...agents.map((name) => ({ value: name, label: name }))]}
      onChange={(chosen) => inspection.filter({ agent: chosen === ALL ? null : chosen })}
    />
  );
}

/** How many things the verifier found; pressing it shows only those. */
function FindingsToggle() {
  const t = useMessages(words);
  const inspection = useInspection();
  const findings = useInspected((state) => state.findings);
  const judged = useInspected((state) => state.judged);
  const isOn = useInspected((state) => state.filter.findingsOnly);
  if (judged === 0 && findings.length === 0) return null;
  if (findings.length === 0 && !isOn) {
    return (
      <span className="fi-verdict" data-tone="good" title={t.legal}>
        <Icon name="shield" />
        <span className="fi-verdict-text">{t.noFindings}</span>
      </span>
    );
  }
  const tone = findings.some(({ severity }) => severity === "error") ? "bad" : "warn";
  return (
    <button
      type="button"
      className="fi-verdict"
      data-tone={tone}
      aria-pressed={isOn}
      title={t.onlyFindings}
      onClick={() => inspection.filter({ findingsOnly: !isOn })}
    >
      <Icon name={tone === "bad" ? "error" : "warning"} />
      {t.findings(findings.length)}
    </button>
  );
}

function FamilyToggle({ family }: { family: Family }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const hidden = useInspected((state) => state.filter.hidden);
  const isShown = !hidden.includes(family);
  const toggle = () => inspection.filter({ hidden: isShown ? [...hidden, family] : hidden.filter((other) => other !== family) });
  return (
    <button type="button" className="fi-family" data-family={family} aria-pressed={isShown} onClick={toggle}>
      <span className="fi-family-dot" aria-hidden="true" />
      {t[family]}
    </button>
  );
}
