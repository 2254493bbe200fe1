/** The end of a turn: how it ended, and what can be done with the answer. */
import { useSyncExternalStore } from "react";
import { clock, count, duration, useLocale, useMessages } from "../../i18n/index.js";
import { Badge, Button, Icon, IconButton } from "../../ui/index.js";
import { useScene } from "../context.js";
import { CopyButton } from "../copy-button.js";
import type { Row, RunNote } from "../session/index.js";
import { words } from "../words.js";
import { ReadAloud } from "./read-aloud.js";

type Props = Omit<Extract<Row, { kind: "end" }>, "kind" | "key">;

export function EndRow({ run, user, answer, text, last }: Props) {
  const { session, readOnly, isGuest, quote } = useScene();
  const messages = useMessages(words);
  const rating = useSyncExternalStore(session.subscribe, () => (answer === undefined ? undefined : session.getState().ratings[answer.id]));
  const again = user === undefined || readOnly ? undefined : () => void session.regenerate(user);
  const rate = (value: "up" | "down") => answer !== undefined && void session.rate(answer.id, rating === value ? undefined : value);
  return (
    <div className="fs-end" data-last={last}>
      {run?.status === "cancelled" && <Badge icon="stop">{messages.cancelled}</Badge>}
      {run?.status === "error" && isInterrupted(run) && (
        <Interrupted onContinue={last && !readOnly ? () => void session.send(messages.pleaseContinue) : undefined} onRestart={last ? again : undefined} />
      )}
      {run?.status === "error" && !isInterrupted(run) && <Failure run={run} onRetry={last ? again : undefined} />}
      {answer !== undefined && (
        <div className="fs-row-actions" data-steady={last}>
          <CopyButton text={text} />
          {again !== undefined && <IconButton size="sm" icon="redo" label={messages.regenerate} onPress={again} />}
          {!isGuest && (
            <>
              <IconButton size="sm" icon="like" label={messages.good} aria-pressed={rating === "up"} onPress={() => rate("up")} />
              <IconButton size="sm" icon="dislike" label={messages.bad} aria-pressed={rating === "down"} onPress={() => rate("down")} />
              <IconButton size="sm" icon="quote" label={messages.quote} onPress={() => quote(text)} />
            </>
          )}
          <ReadAloud text={text} />
          <Facts run={run} />
        </div>
      )}
    </div>
  );
}

function Failure({ run, onRetry }: { run: RunNote; onRetry: (() => void) | undefined }) {
  const messages = useMessages(words);
  return (
    <div className="fs-failure" role="alert">
      <Icon name="error" />
      <span>
        <strong>{messages.error}</strong>
        {run.error !== undefined && <> {run.error.message}</>}
        {run.error?.code !== undefined && <code>{run.error.code}</code>}
      </span>
      {onRetry !== undefined && (
        <Button size="sm" icon="redo" onPress={onRetry}>
          {messages.retry}
        </Button>
      )}
    </div>
  );
}

/** The server stopped during the run, and nothing was wrong with it. */
function isInterrupted({ error }: RunNote): boolean {
  return error?.code === "run_lost" || error?.code === "shutdown";
}

function Interrupted({ onContinue, onRestart }: { onContinue: (() => void) | undefined; onRestart: (() => void) | undefined }) {
  const messages = useMessages(words);
  return (
    <div className="fs-failure" data-kind="interrupted" role="alert">
      <Icon name="clock" />
      <span>
        <strong>{messages.interrupted}</strong> {messages.interruptedWhy}
      </span>
      {onContinue !== undefined && (
        <Button size="sm" kind="primary" onPress={onContinue}>
          {messages.continue}
        </Button>
      )}
      {onRestart !== undefined && (
        <Button size="sm" icon="redo" onPress={onRestart}>
          {messages.startOver}
        </Button>
      )}
    </div>
  );
}

/** When, how long, and how much was read and written. */
function Facts({ run }: { run: RunNote | undefined }) {
  const messages = useMessages(words);
  const locale = useLocale();
  if (run?.startedAt === undefined) return null;
  const worked = run.worked ?? (run.endedAt === undefined ? undefined : run.endedAt - run.startedAt);
  const took = worked === undefined ? undefined : duration(worked, locale);
  const sum = (of: "inputTokens" | "outputTokens") => count(run.usage?.reduce((all, one) => all + (one[of] ?? 0), 0) ?? 0, locale);
  const tokens = run.usage === undefined ? undefined : messages.tokens(sum("inputTokens"), sum("outputTokens"));
  return (
    <span className="fs-facts">
      <time dateTime={new Date(run.startedAt).toISOString()}>{clock(run.startedAt, Date.now(), locale)}</time>
      {took !== undefined && <span>{took}</span>}
      {tokens !== undefined && <span data-testid="tokens">{tokens}</span>}
    </span>
  );
}
