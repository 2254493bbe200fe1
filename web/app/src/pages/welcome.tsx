/** The beginning: who there is to talk to, and what one could say. */
import type { AgentInfo } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { Mark } from "../shell/mark.js";
import { useStage } from "../stage.js";
import { appWords } from "../words.js";
import "./welcome.css";

export function Welcome({ agent, onPick, onSay }: { agent: string; onPick: (agent: string) => void; onSay: (text: string) => void }) {
  const words = useMessages(appWords);
  const agents = useStage((stage) => stage.agents);
  const chosen = agents.find(({ name }) => name === agent);
  const suggestions = suggestionsOf(chosen);
  return (
    <div className="welcome">
      <Mark large />
      <h2>{words.welcome}</h2>
      <p>{words.welcomeWhy}</p>
      {agents.length > 1 && (
        <div className="agents" role="group" aria-label={words.agents}>
          {agents.map(({ name, description }) => (
            <button key={name} type="button" className="agent" aria-pressed={name === agent} onClick={() => onPick(name)}>
              <strong>{name}</strong>
              <span>{description}</span>
            </button>
          ))}
        </div>
      )}
      {suggestions.length > 0 && (
        <div className="suggestions" role="group" aria-label={agent}>
          {suggestions.map((text) => (
            <button key={text} type="button" className="suggestion" onClick={() => onSay(text)}>
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** What an agent says one could say to it. */
export function suggestionsOf(agent: AgentInfo | undefined): string[] {
  const given: unknown = agent?.capabilities.custom?.["suggestions"];
  return Array.isArray(given) ? given.filter((text): text is string => typeof text === "string").slice(0, 6) : [];
}
