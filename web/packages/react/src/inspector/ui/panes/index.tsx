/** The panes, and the tabs that lead to them. */
import type { ComponentType } from "react";
import { type Key, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { useInspected, useInspection } from "../../store/context.js";
import { PANES, type Pane } from "../../store/settings.js";
import { Timeline } from "../timeline/index.js";
import { AgentPane } from "./agent.js";
import { MessagesPane } from "./messages.js";
import { QuestionsPane } from "./questions.js";
import { RunsPane } from "./runs.js";
import { StatePane } from "./state.js";
import { SurfacesPane } from "./surfaces.js";

const COMPONENTS: Record<Pane, ComponentType> = {
  events: Timeline,
  state: StatePane,
  messages: MessagesPane,
  surfaces: SurfacesPane,
  runs: RunsPane,
  questions: QuestionsPane,
  agent: AgentPane,
};

export function Panes() {
  const t = useMessages(words);
  const inspection = useInspection();
  const pane = useInspected((state) => state.settings.pane);
  const choose = (key: Key) => {
    const chosen = PANES.find((name) => name === key);
    if (chosen !== undefined) inspection.show(chosen);
  };
  return (
    <Tabs className="fi-tabs" selectedKey={pane} onSelectionChange={choose}>
      <TabList className="fi-tablist" aria-label={t.panes}>
        {PANES.map((name) => (
          <Tab key={name} id={name} className="fi-tab">
            {t[name]}
            <Count pane={name} />
          </Tab>
        ))}
      </TabList>
      {PANES.map((name) => {
        const Component = COMPONENTS[name];
        return (
          <TabPanel key={name} id={name} className="fi-panel">
            <Component />
          </TabPanel>
        );
      })}
    </Tabs>
  );
}

function Count({ pane }: { pane: Pane }) {
  const count = useInspected(({ log, runs, version }) => (version < 0 ? 0 : pane === "events" ? log.entries.length : pane === "runs" ? runs.length : 0));
  return count > 0 ? <span className="fi-tab-count">{count}</span> : null;
}
