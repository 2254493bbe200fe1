/** The agents of the server, each one click away. */
import { useMessages } from "@forestage/react/i18n";
import { Button } from "@forestage/react/ui";
import { go, paths } from "../router.js";
import { useStage } from "../stage.js";
import { words } from "./words.js";

export function Agents() {
  const text = useMessages(words);
  const agents = useStage((stage) => stage.agents);
  if (agents.length === 0) return <p>{text.noAgents}</p>;
  return (
    <ul className="gallery-agents">
      {agents.map(({ name, description }) => (
        <li key={name} className="gallery-agent">
          <div>
            <h3>{name}</h3>
            <p>{description}</p>
          </div>
          <Button size="sm" icon="send" aria-label={`${text.talk}: ${name}`} onPress={() => go(paths.agent(name))}>
            {text.talk}
          </Button>
        </li>
      ))}
    </ul>
  );
}
