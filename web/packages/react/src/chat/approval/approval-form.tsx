/** May this be called? Yes, with other arguments, no with a reason, and not to be asked again. */
import { Fragment, type KeyboardEvent, useId, useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { Button, LazySelect } from "../../ui/index.js";
import { Members } from "../form/field.js";
import { complaintsOf } from "../form/schema.js";
import { Arguments } from "./arguments.js";
import { askedOf, verdictOf } from "./question.js";
import type { QuestionCardProps } from "./question-card.js";
import { useDecision } from "./use-decision.js";
import { askWords } from "./words.js";

type Step = "asked" | "editing" | "rejecting";

export function ApprovalForm({ record, api, onDecided, call }: QuestionCardProps) {
  const messages = useMessages(askWords);
  const id = useId();
  const asked = askedOf(record, call);
  const [step, setStep] = useState<Step>("asked");
  const [changed, setArgs] = useState<unknown>();
  const args = changed ?? asked.args;
  const [reason, setReason] = useState("");
  const [remember, setRemember] = useState<"thread" | "always">();
  const { busy, error, complaints, decide } = useDecision(record, api, onDecided);
  const wrong = step === "editing" && asked.argsSchema !== undefined ? complaintsOf(asked.argsSchema, args) : [];
  const edited = step === "editing" ? { args } : {};
  // Nobody approves what they cannot see.
  const unseen = record.interrupt.toolCallId !== undefined && asked.args === undefined;

  const approve = () => {
    if (wrong.length === 0 && !unseen) void decide(verdictOf(true, asked, { ...edited, ...(remember === undefined ? {} : { remember }) }));
  };
  const reject = () => void decide(verdictOf(false, asked, { reason: reason.trim() }));
  const onKeyDown = (event: KeyboardEvent) => {
    const yes = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!yes && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (yes) return step === "rejecting" ? reject() : approve();
    setStep(step === "asked" ? "rejecting" : "asked");
  };

  return (
    <div onKeyDown={onKeyDown} className="fs-answer">
      {step === "editing" && asked.argsSchema !== undefined ? (
        <Members name="" schema={asked.argsSchema} value={args} path="" required complaints={[...wrong, ...complaints]} autoFocus onChange={setArgs} />
      ) : (
        asked.args !== undefined && <Arguments args={asked.args} schema={asked.meaning} />
      )}
      {unseen && <p className="fs-note">{messages.unseen}</p>}
      {step === "rejecting" && (
        <label className="fs-field">
          {messages.reason}
          <textarea autoFocus rows={2} value={reason} onChange={({ target }) => setReason(target.value)} aria-describedby={`${id}-hint`} />
          <small id={`${id}-hint`}>{messages.reasonHint}</small>
        </label>
      )}
      {step !== "rejecting" && asked.remember.length > 0 && (
        <div className="fs-remember">
          <span id={`${id}-remember`}>{messages.remember}</span>
          <LazySelect
            size="sm"
            aria-labelledby={`${id}-remember`}
            options={(["once", ...asked.remember] as const).map((scope) => ({ value: scope, label: messages[scope] }))}
            value={remember ?? "once"}
            onChange={(scope) => setRemember(scope === "once" ? undefined : scope)}
          />
        </div>
      )}
      {error !== undefined && (
        <p className="fs-complaint" role="alert">
          {error}
        </p>
      )}
      <div className="fs-actions">
        {step === "rejecting" ? (
          // Buttons of one step never become those of another: whoever presses twice must not press something else.
          <Fragment key="rejecting">
            <Button kind="danger" icon="close" busy={busy} onPress={reject}>
              {messages.reject}
            </Button>
            <Button kind="quiet" onPress={() => setStep("asked")}>
              {messages.back}
            </Button>
          </Fragment>
        ) : (
          <Fragment key="asked">
            <Button kind="primary" className="fs-approve" data-action="approve" icon="check" busy={busy} isDisabled={wrong.length > 0 || unseen} onPress={approve}>
              {step === "editing" ? messages.approveEdited : messages.approve}
            </Button>
            {asked.argsSchema !== undefined && asked.args !== undefined && (
              <Button icon="edit" data-action="edit" onPress={() => setStep(step === "editing" ? "asked" : "editing")}>
                {step === "editing" ? messages.doNotEdit : messages.edit}
              </Button>
            )}
            <Button kind="danger" icon="close" data-action="reject" onPress={() => setStep("rejecting")}>
              {messages.reject}
            </Button>
          </Fragment>
        )}
      </div>
      <p className="fs-keys">{messages.keys}</p>
    </div>
  );
}
