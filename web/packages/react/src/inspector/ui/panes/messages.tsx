/** The conversation as of the moment that is shown. */
import { memo, useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Badge, IconButton, type Tone } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import type { Message } from "../../log/fold/index.js";
import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from "../../log/json.js";
import { contentOf } from "../../log/summary.js";
import { useView } from "../../store/context.js";
import { BranchButton } from "../parts/branch-button.js";
import { Copy } from "../parts/copy.js";
import { Empty } from "../parts/empty.js";
import { Id } from "../parts/id.js";
import { JsonTree } from "../parts/json-tree.js";

const TONES: Record<string, Tone | undefined> = { user: "accent", assistant: "info", tool: "warn", reasoning: "good", activity: "warn" };

/** From where one may go another way: in front of what a person said, behind the run that an agent spoke in. */
const BRANCHED = ["user", "assistant"];

/** A conversation that is longer shows its end; the rest is one press away. */
const PAGE = 100;

export function MessagesPane() {
  const t = useMessages(words);
  const { messages } = useView();
  const [pages, setPages] = useState(1);
  if (messages.length === 0) return <Empty icon="quote" title={t.noMessages} />;
  const shown = messages.slice(-pages * PAGE);
  return (
    <section className="fi-scroll" aria-label={t.messages} tabIndex={0}>
      {shown.length < messages.length && (
        <button type="button" className="fi-json-more" onClick={() => setPages(pages + 1)}>
          {t.more(messages.length - shown.length)}
        </button>
      )}
      <ol className="fi-messages">
        {shown.map((message) => (
          <MessageCard key={message.id} message={message} />
        ))}
      </ol>
    </section>
  );
}

/** Messages that did not change are not drawn again. */
const MessageCard = memo(function MessageCard({ message }: { message: Message }) {
  const t = useMessages(words);
  const [isRaw, setIsRaw] = useState(false);
  const subagent = textOf(message, "subagentRunId");
  return (
    <li className="fi-card">
      <header className="fi-card-head">
        <Badge tone={TONES[message.role] ?? "neutral"}>{message.role}</Badge>
        <Id value={message.id} />
        {subagent !== undefined && <Id value={subagent} />}
        <span className="fi-spring" />
        {BRANCHED.includes(message.role) && <BranchButton point={{ messageId: message.id }} />}
        <IconButton icon="code" size="sm" label={t.json} aria-pressed={isRaw} onPress={() => setIsRaw(!isRaw)} />
        <Copy text={() => JSON.stringify(message, null, 2)} />
      </header>
      {isRaw ? <JsonTree value={message} label={t.json} depth={4} /> : <Said message={message} />}
    </li>
  );
});

function Said({ message }: { message: Message }) {
  const t = useMessages(words);
  const { content } = message;
  const calls = objectsOf(message, "toolCalls");
  const value = typeof content === "string" && message.role === "tool" ? parsed(content) : content;
  const text = contentOf(content);
  return (
    <>
      {isObject(value) ? <JsonTree value={value} label={message.role} depth={2} /> : text !== "" && <p className="fi-said">{text}</p>}
      {calls.length > 0 && (
        <ul className="fi-calls" aria-label={t.toolCalls}>
          {calls.map((call) => (
            <Call key={textOf(call, "id")} call={call} />
          ))}
        </ul>
      )}
    </>
  );
}

function Call({ call }: { call: JsonObject }) {
  const made = objectOf(call, "function");
  const args = textOf(made, "arguments") ?? "";
  const value = parsed(args);
  return (
    <li>
      <code className="fi-call-name">{textOf(made, "name")}</code> <Id value={textOf(call, "id") ?? ""} />
      {value === undefined ? <p className="fi-said">{args}</p> : <JsonTree value={value} label={textOf(made, "name") ?? ""} depth={2} />}
    </li>
  );
}
