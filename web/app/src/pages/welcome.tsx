/** The beginning: what this is, what to try first, who there is to talk to, and what one could say. */
import type { AgentInfo } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { AgentPicker } from "../agents/agent-picker.js";
import { titleOf } from "../agents/listing.js";
import { FirstSteps } from "../first-steps/first-steps.js";
import { Mark } from "../shell/mark.js";
import { useStage } from "../stage.js";
import { appWords } from "../words.js";
import "./welcome.css";

export function Welcome({ agent, onPick, onSay }: { agent: string; onPick: (agent: string) => void; onSay: (text: string) => void }) {
  const words = useMessages(appWords);
  const agents = useStage((stage) => stage.agents);
  const isDemo = useStage(({ server }) => server?.demo === true);
  const chosen = agents.find(({ name }) => name === agent);
  const suggestions = suggestionsOf(chosen);
  return (
    <div className="welcome">
      {!isDemo && <Mark large />}
      <h2>{words.welcome}</h2>
      <p>{isDemo ? words.whatThisIs : words.welcomeWhy}</p>
      <FirstSteps />
      {suggestions.length > 0 && (
        <div className="suggestions" role="group" aria-label={words.suggestionsFor(titleOf(agents, agent))}>
          {suggestions.map((text) => (
            <button key={text} type="button" className="suggestion" onClick={() => onSay(text)}>
              {text}
            </button>
          ))}
        </div>
      )}
      {agents.length > 1 && <AgentPicker agents={agents} agent={agent} onPick={onPick} />}
    </div>
  );
}

/** What an agent says one could say to it. */
export function suggestionsOf(agent: AgentInfo | undefined): string[] {
  const given: unknown = agent?.capabilities.custom?.["suggestions"];
  return Array.isArray(given) ? given.filter((text): text is string => typeof text === "string").slice(0, 6) : [];
}
