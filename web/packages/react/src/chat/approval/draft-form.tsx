/** What an agent is about to say: shown as it is, in other words, or not at all. The changes are shown as they are made. */
import { type KeyboardEvent, Suspense, lazy, useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { Button } from "../../ui/index.js";
import { Markdown } from "../markdown/index.js";
import { askedOf, draftOf, verdictOf } from "./question.js";
import type { QuestionCardProps } from "./question-card.js";
import { useDecision } from "./use-decision.js";
import { askWords } from "./words.js";

const TextDiff = lazy(async () => ({ default: (await import("./diff.js")).TextDiff }));

export function DraftForm({ record, api, onDecided }: QuestionCardProps) {
  const messages = useMessages(askWords);
  const draft = draftOf(record);
  const [editing, setEditing] = useState(false);
  const [text, setText] = useState(draft);
  const { busy, error, decide } = useDecision(record, api, onDecided);
  const changed = text !== draft;
  const asked = askedOf(record);
  const show = () => void decide(verdictOf(true, asked, changed ? { text } : {}));
  const withhold = () => void decide(verdictOf(false, asked, {}));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) show();
  };
  return (
    <div className="fs-answer" onKeyDown={onKeyDown}>
      {editing ? (
        <label className="fs-field">
          {messages.draftText}
          <textarea autoFocus rows={Math.min(14, text.split("\n").length + 3)} value={text} onChange={({ target }) => setText(target.value)} />
        </label>
      ) : (
        <div className="fs-draft">
          <Markdown text={text} />
        </div>
      )}
      {changed && (
        <Suspense>
          <TextDiff before={draft} after={text} label={messages.changes} />
        </Suspense>
      )}
      {error !== undefined && (
        <p className="fs-complaint" role="alert">
          {error}
        </p>
      )}
      <div className="fs-actions">
        <Button kind="primary" className="fs-approve" data-action="approve" icon="check" busy={busy} onPress={show}>
          {changed ? messages.showEdited : messages.showDraft}
        </Button>
        <Button icon="edit" data-action="edit" onPress={() => setEditing(!editing)}>
          {editing ? messages.back : messages.edit}
        </Button>
        <Button kind="danger" icon="close" data-action="reject" onPress={withhold}>
          {messages.withhold}
        </Button>
      </div>
    </div>
  );
}
