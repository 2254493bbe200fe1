/** A tool call that nothing else draws: its name, how it goes, what went in and what came out. */
import { type ReactNode, useState } from "react";
import { duration, useLocale, useMessages } from "../../i18n/index.js";
import { Badge, Button, Icon, Spinner } from "../../ui/index.js";
import { Arguments } from "../approval/arguments.js";
import { useScene } from "../context.js";
import type { CallRow } from "../session/index.js";
import { words } from "../words.js";

export function ToolCard({ row: { call, question, from, to, waited = 0 }, children }: { row: CallRow; children?: ReactNode }) {
  const messages = useMessages(words);
  const locale = useLocale();
  const { session, readOnly, isGuest } = useScene();
  const running = session.getState().running !== undefined;
  const failure = call.phase === "answered" ? (call.result.error ?? errorIn(call.result.value)) : undefined;
  const waits = call.phase === "ready" && !running && question === undefined && !isGuest;
  const busy = call.phase === "streaming" || (call.phase === "ready" && running);
  return (
    <details className="fs-tool" data-phase={call.phase} data-testid="tool" open={waits || call.phase === "streaming"}>
      <summary>
        {busy ? <Spinner /> : <Icon name={failure !== undefined ? "error" : call.phase === "answered" ? "check" : "tool"} />}
        <span>
          <span className="fs-visually-hidden">{call.phase === "answered" ? messages.calledTool("") : messages.callingTool("")}</span>
          <code>{call.name}</code>
        </span>
        {failure !== undefined && <Badge tone="bad">{messages.failed}</Badge>}
        {waits && <Badge tone="accent">{messages.waitsForYou}</Badge>}
        {from !== undefined && to !== undefined && <span className="fs-muted">{duration(Math.max(0, to - from - waited), locale)}</span>}
        <Icon name="chevron" className="fs-turn fs-mirror" />
      </summary>
      <div className="fs-tool-body">
        {children ?? (
          <>
            <h4>{messages.arguments}</h4>
            <Arguments args={call.args ?? {}} />
            {call.phase === "answered" && (
              <>
                <h4>{failure === undefined ? messages.result : messages.failed}</h4>
                <Arguments args={call.result.value} />
              </>
            )}
            {waits && !readOnly && <ByHand onAnswer={(text) => session.answer(call.id, text)} onDecline={() => session.answer(call.id, messages.declined, messages.declined)} />}
          </>
        )}
      </div>
    </details>
  );
}

function errorIn(value: unknown): string | undefined {
  const error = typeof value === "object" && value !== null ? (value as { error?: unknown }).error : undefined;
  return error === undefined || error === null ? undefined : typeof error === "string" ? error : JSON.stringify(error);
}

/** A tool that this page should carry out and does not know: the person can do its work. */
function ByHand({ onAnswer, onDecline }: { onAnswer: (text: string) => Promise<void>; onDecline: () => Promise<void> }) {
  const messages = useMessages(words);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const attempt = (work: Promise<void>) => void work.catch((reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)));
  return (
    <form
      className="fs-answer"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(onAnswer(text));
      }}
    >
      <label className="fs-field">
        {messages.yourAnswer}
        <textarea rows={2} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {error !== undefined && <p className="fs-complaint" role="alert">{error}</p>}
      <div className="fs-actions">
        <Button kind="primary" size="sm" type="submit">
          {messages.answer}
        </Button>
        <Button kind="quiet" size="sm" onPress={() => attempt(onDecline())}>
          {messages.decline}
        </Button>
      </div>
    </form>
  );
}
