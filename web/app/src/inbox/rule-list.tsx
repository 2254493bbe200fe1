/** Calls that are approved without asking, and a way to revoke them. */
import type { Rule } from "@forestage/client";
import { Badge, Button, useMessages } from "@forestage/react";
import { askWords } from "@forestage/react/chat";
import { api } from "../stage.js";

export function RuleList({ rules, onRemove }: { rules: readonly Rule[]; onRemove: () => void }) {
  const words = useMessages(askWords);
  return (
    <section aria-labelledby="inbox-rules">
      <h2 id="inbox-rules">{words.rules}</h2>
      <p className="fs-muted">{words.rulesWhy}</p>
      <ul className="rules">
        {rules.map(({ id, agent, tool, threadId }) => (
          <li key={id}>
            <span>
              <code>{tool}</code> <Badge>{agent}</Badge>
              <span className="fs-muted">{threadId === null ? words.everywhere : words.here}</span>
            </span>
            <Button size="sm" onPress={() => void api.removeRule(id).then(onRemove)}>
              {words.takeBack}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
