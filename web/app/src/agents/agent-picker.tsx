/** Who there is to talk to, as cards in groups. What only developers look for is folded away. */
import type { AgentInfo } from "@forestage/client";
import { Icon, useMessages } from "@forestage/react";
import { appWords } from "../words.js";
import { AgentIcon } from "./agent-icon.js";
import { listed } from "./listing.js";
import "./agent-picker.css";

export interface AgentPickerProps {
  agents: readonly AgentInfo[];
  /** The name of the agent that is chosen. */
  agent: string;
  onPick: (agent: string) => void;
}

export function AgentPicker({ agents, agent, onPick }: AgentPickerProps) {
  const words = useMessages(appWords);
  const { groups, folded } = listed(agents);
  const cards = (label: string, members: readonly AgentInfo[]) => <AgentCards label={label} agents={members} agent={agent} onPick={onPick} />;
  return (
    <div className="agent-groups">
      {groups.map(({ title, agents: members }) => (
        <section key={title ?? ""}>
          {title !== undefined && <h3>{title}</h3>}
          {cards(title ?? words.agents, members)}
        </section>
      ))}
      {folded.length > 0 && (
        <details className="agents-folded" open={folded.some(({ name }) => name === agent)}>
          <summary>
            <Icon name="chevron" /> {words.forDevelopers} <span className="fs-muted">{folded.length}</span>
          </summary>
          {cards(words.forDevelopers, folded)}
        </details>
      )}
    </div>
  );
}

function AgentCards({ label, agents, agent, onPick }: AgentPickerProps & { label: string }) {
  return (
    <div className="agents" role="group" aria-label={label}>
      {agents.map((one) => (
        <button key={one.name} type="button" className="agent" aria-pressed={one.name === agent} onClick={() => onPick(one.name)}>
          <span className="agent-icon">
            <AgentIcon agent={one} />
          </span>
          <strong>{one.title ?? one.name}</strong>
          <span className="agent-about">{one.description}</span>
        </button>
      ))}
    </div>
  );
}
