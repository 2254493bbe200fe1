/** What the person said: it can be changed and sent again, and its other versions are one press away. */
import type { ContentPart, UserMessage } from "@ag-ui/core";
import { contentToText } from "@ag-ui/core";
import { type KeyboardEvent, useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { Button, IconButton } from "../../ui/index.js";
import { useScene } from "../context.js";
import { CopyButton } from "../copy-button.js";
import type { Ways } from "../session/index.js";
import { words } from "../words.js";
import { isSentForm } from "../../view/sent.js";
import { Attachment } from "./attachment.js";

export function UserRow({ message, ways, to }: { message: UserMessage; ways: Ways | undefined; to: string | undefined }) {
  const { session, readOnly, isGuest } = useScene();
  const messages = useMessages(words);
  const [editing, setEditing] = useState(false);
  const text = textOf(message.content);
  const picker = ways !== undefined && !isGuest && <WayPicker ways={ways} disabled={readOnly} onPick={(run) => void session.switchTo(run)} />;
  if (isSentForm(message)) return <div className="fs-user">{picker}</div>;
  if (editing) return <Editor message={message} text={text} onDone={() => setEditing(false)} />;
  return (
    <div className="fs-user" id={message.id}>
      <div className="fs-bubble" data-testid="said" aria-label={messages.you} role="group">
        {to !== undefined && <Addressee name={to} />}
        <Content content={message.content} />
      </div>
      <div className="fs-row-actions" data-steady={ways !== undefined}>
        {picker}
        <CopyButton text={text} />
        {!isGuest && <IconButton size="sm" icon="edit" label={messages.edit} isDisabled={readOnly} onPress={() => setEditing(true)} />}
      </div>
    </div>
  );
}

/** Who something was said to, where that is not the agent of the thread. */
export function Addressee({ name }: { name: string }) {
  const { sayTo } = useMessages(words);
  return (
    <span className="fs-addressee" title={sayTo(name)}>
      @{name}
    </span>
  );
}

/** Words and files, as they were sent. */
export function Content({ content }: { content: UserMessage["content"] }) {
  if (typeof content === "string") return <p className="fs-words">{content}</p>;
  return content.map((part, at) => (part.type === "text" ? <p key={at} className="fs-words">{part.text}</p> : <Attachment key={at} part={part} />));
}

function textOf(content: UserMessage["content"]): string {
  return typeof content === "string" ? content : contentToText(content);
}

function WayPicker({ ways: { runs, at }, disabled, onPick }: { ways: Ways; disabled: boolean; onPick: (run: string) => void }) {
  const { way, earlier, later } = useMessages(words);
  const go = (step: number) => {
    const run = runs[at + step];
    if (run !== undefined) onPick(run);
  };
  return (
    <span className="fs-ways" role="group" aria-label={way(at + 1, runs.length)}>
      <IconButton size="sm" icon="back" className="fs-mirrored" label={earlier} isDisabled={disabled || at === 0} onPress={() => go(-1)} />
      <span aria-hidden="true">
        {at + 1}/{runs.length}
      </span>
      <IconButton size="sm" icon="chevron" className="fs-mirrored" label={later} isDisabled={disabled || at === runs.length - 1} onPress={() => go(1)} />
    </span>
  );
}

function Editor({ message, text, onDone }: { message: UserMessage; text: string; onDone: () => void }) {
  const { session } = useScene();
  const messages = useMessages(words);
  const [draft, setDraft] = useState(text);
  const save = () => {
    if (draft.trim() === "") return;
    onDone();
    void session.edit(message, withText(message.content, draft));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onDone();
    else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      save();
    }
  };
  return (
    <div className="fs-user fs-editing">
      <textarea className="fs-input" autoFocus rows={Math.min(10, draft.split("\n").length + 1)} aria-label={messages.edit} value={draft} onChange={({ target }) => setDraft(target.value)} onKeyDown={onKeyDown} />
      <div className="fs-actions">
        <Button kind="primary" size="sm" onPress={save}>
          {messages.save}
        </Button>
        <Button kind="quiet" size="sm" onPress={onDone}>
          {messages.cancel}
        </Button>
      </div>
    </div>
  );
}

function withText(content: UserMessage["content"], text: string): UserMessage["content"] {
  if (typeof content === "string") return text;
  return [...content.filter((part) => part.type !== "text"), { type: "text", text } satisfies ContentPart];
}
