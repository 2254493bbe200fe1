/** A question with a form of its own. */
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { Button } from "../../ui/index.js";
import { Field } from "../form/field.js";
import { type Complaint, type Schema, complaintsOf, initialOf } from "../form/schema.js";
import type { QuestionCardProps } from "./question-card.js";
import { useDecision } from "./use-decision.js";
import { askWords } from "./words.js";

const ANYTHING: Schema = { type: "string" };

export function QuestionForm({ record, api, onDecided }: QuestionCardProps) {
  const messages = useMessages(askWords);
  const schema = (record.interrupt.responseSchema as Schema | undefined) ?? ANYTHING;
  const [value, setValue] = useState<unknown>(() => initialOf(schema));
  const [shown, setShown] = useState<Complaint[]>([]);
  const { busy, error, complaints, decide } = useDecision(record, api, onDecided);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    const wrong = complaintsOf(schema, value);
    setShown(wrong);
    if (wrong.length === 0) void decide({ status: "resolved", payload: value });
  };
  const withdraw = () => void decide({ status: "cancelled" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <form className="fs-answer" onSubmit={send} onKeyDown={onKeyDown} noValidate>
      <Field name={messages.answer} schema={schema} value={value} path="" required complaints={[...shown, ...complaints]} onChange={setValue} />
      {error !== undefined && complaints.length === 0 && (
        <p className="fs-complaint" role="alert">
          {error}
        </p>
      )}
      <div className="fs-actions">
        <Button kind="primary" className="fs-approve" icon="check" type="submit" busy={busy}>
          {messages.answer}
        </Button>
        <Button kind="quiet" onPress={withdraw}>
          {messages.withdraw}
        </Button>
      </div>
    </form>
  );
}
