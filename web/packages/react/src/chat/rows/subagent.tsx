/** What a helper of the agent did, in a frame of its own. */
import { useMessages } from "../../i18n/index.js";
import { Badge, Icon, Spinner } from "../../ui/index.js";
import type { Row as RowData } from "../session/index.js";
import { words } from "../words.js";
import { Row } from "./row.js";

type Props = Omit<Extract<RowData, { kind: "subagent" }>, "kind" | "key">;

export function Subagent({ name, state, error, rows }: Props) {
  const messages = useMessages(words);
  return (
    <details className="fs-subagent" open>
      <summary>
        {state === "working" ? <Spinner /> : <Icon name="user" />}
        <span>{name === "" ? messages.helper : name}</span>
        {state === "failed" && <Badge tone="bad">{error ?? messages.helperFailed}</Badge>}
        <Icon name="chevron" className="fs-turn fs-mirror" />
      </summary>
      <div className="fs-rows">
        {rows.map((row) => (
          <Row key={row.key} row={row} />
        ))}
      </div>
    </details>
  );
}
