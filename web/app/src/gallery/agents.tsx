/** The agents of the server, each one click away. Those for developers are last. */
import type { AgentInfo } from "@forestage/client";
import { useMessages } from "@forestage/react/i18n";
import { Button } from "@forestage/react/ui";
import { AgentIcon } from "../agents/agent-icon.js";
import { listed } from "../agents/listing.js";
import { go, paths } from "../router.js";
import { useStage } from "../stage.js";
import { appWords } from "../words.js";
import { words } from "./words.js";

export function Agents() {
  const text = useMessages(words);
  const { forDevelopers } = useMessages(appWords);
  const agents = useStage((stage) => stage.agents);
  if (agents.length === 0) return <p>{text.noAgents}</p>;
  const { groups, folded } = listed(agents);
  return (
    <>
      {groups.map(({ title, agents: members }) => (
        <AgentList key={title ?? ""} agents={members} />
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{forDevelopers}</summary>
          <AgentList agents={folded} />
        </details>
      )}
    </>
  );
}

function AgentList({ agents }: { agents: readonly AgentInfo[] }) {
  const text = useMessages(words);
  return (
    <ul className="gallery-agents">
      {agents.map((agent) => (
        <li key={agent.name} className="gallery-agent">
          <div>
            <h3>
              <AgentIcon agent={agent} /> {agent.title ?? agent.name}
            </h3>
            <p>{agent.description}</p>
          </div>
          <Button size="sm" icon="send" aria-label={`${text.talk}: ${agent.title ?? agent.name}`} onPress={() => go(paths.agent(agent.name))}>
            {text.talk}
          </Button>
        </li>
      ))}
    </ul>
  );
}
