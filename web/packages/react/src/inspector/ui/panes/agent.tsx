/** The agent of a run: what it can do, and what it was given. */
import type { AgentInfo } from "@forestage/client";
import { type ReactNode, useEffect, useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Select } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { isEqual, type Json, type JsonObject, objectsOf, textOf } from "../../log/json.js";
import { useInspected, useInspection } from "../../store/context.js";
import { Empty } from "../parts/empty.js";
import { JsonTree } from "../parts/json-tree.js";
import { runOptions } from "../parts/run-options.js";

export function AgentPane() {
  const t = useMessages(words);
  const runs = useInspected((state) => state.runs);
  const [chosen, setChosen] = useState("");
  const run = runs.find(({ id }) => id === chosen) ?? runs.at(-1);
  const agent = useAgent(run?.agent ?? null);
  if (run === undefined) return <Empty icon="user" title={t.noRuns} />;
  return (
    <section className="fi-scroll" aria-label={t.agent} tabIndex={0}>
      <header className="fi-pane-head">
        <h3>{run.agent ?? t.agent}</h3>
        <span className="fi-spring" />
        <Select className="fi-select" size="sm" aria-label={t.run} value={run.id} options={runOptions(runs)} onChange={setChosen} />
      </header>
      {agent !== undefined && <p className="fi-quiet">{agent.description}</p>}
      {agent !== undefined && (
        <Part title={t.capabilities}>
          <JsonTree value={agent.capabilities as unknown as Json} label={t.capabilities} depth={3} />
        </Part>
      )}
      {run.input === undefined ? <p className="fi-quiet">{t.noInput}</p> : <Input input={run.input} />}
    </section>
  );
}

function useAgent(name: string | null): AgentInfo | undefined {
  const { api } = useInspection();
  const [agents, setAgents] = useState<AgentInfo[]>([]);
  useEffect(() => {
    api.agents().then(setAgents, () => setAgents([]));
  }, [api]);
  return agents.find((agent) => agent.name === name);
}

function Input({ input }: { input: JsonObject }) {
  const t = useMessages(words);
  return (
    <>
      <Part title={t.tools}>
        <Tools tools={objectsOf(input, "tools")} />
      </Part>
      <Part title={t.context}>
        <Context items={objectsOf(input, "context")} />
      </Part>
      <Given title={t.sentState} value={input.state} />
      <Given title={t.forwarded} value={input.forwardedProps} />
      <Given title={t.sentMessages} value={input.messages} />
      <Given title="resume" value={input.resume} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="fi-part">
      <h3 className="fi-label">{title}</h3>
      {children}
    </div>
  );
}

function Given({ title, value }: { title: string; value: Json | undefined }) {
  if (value === undefined || value === null || isEqual(value, {}) || isEqual(value, [])) return null;
  return (
    <Part title={title}>
      <JsonTree value={value} label={title} depth={2} />
    </Part>
  );
}

function Tools({ tools }: { tools: JsonObject[] }) {
  const t = useMessages(words);
  if (tools.length === 0) return <p className="fi-quiet">{t.none}</p>;
  return (
    <ul className="fi-calls">
      {tools.map((tool) => (
        <li key={textOf(tool, "name")}>
          <code className="fi-call-name">{textOf(tool, "name")}</code> <span className="fi-quiet">{textOf(tool, "description")}</span>
          {tool.parameters !== undefined && <JsonTree value={tool.parameters} label={textOf(tool, "name") ?? ""} depth={0} />}
        </li>
      ))}
    </ul>
  );
}

function Context({ items }: { items: JsonObject[] }) {
  const t = useMessages(words);
  if (items.length === 0) return <p className="fi-quiet">{t.none}</p>;
  return (
    <dl className="fi-facts">
      {items.map((item) => (
        <div key={textOf(item, "description")}>
          <dt>{textOf(item, "description")}</dt>
          <dd>{textOf(item, "value")}</dd>
        </div>
      ))}
    </dl>
  );
}
