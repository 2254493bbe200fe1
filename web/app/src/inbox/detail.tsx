/** One request with its answer: where it is from, the question itself, and where the decision led. */
import type { InterruptRecord } from "@forestage/client";
import { Badge, Button, relativeTime, useLocale, useMessages } from "@forestage/react";
import { QuestionCard, askWords } from "@forestage/react/chat";
import { go, paths } from "../router.js";
import { api, keyOf, useStage } from "../stage.js";
import { SecondPerson } from "./person.js";
import { Result } from "./result.js";

interface DetailProps {
  record: InterruptRecord;
  user: string | undefined;
  grabsFocus: boolean;
  onDecided: (record: InterruptRecord) => void;
}

export function Detail({ record, user, grabsFocus, onDecided }: DetailProps) {
  // What others own can be decided here, and not read.
  const isOwn = record.owner === user;
  return (
    <article className="inbox-card">
      <Where record={record} isOwn={isOwn} />
      {record.decision !== null && <p className="fs-asked">{record.interrupt.message}</p>}
      <QuestionCard
        key={keyOf(record)}
        record={record}
        api={api}
        user={user}
        onDecided={onDecided}
        grabsFocus={grabsFocus}
        result={isOwn ? <Result record={record} /> : undefined}
      />
      {record.decision === null && record.needs > 1 && record.votes.some(({ by }) => by === user) && <SecondPerson />}
    </article>
  );
}

function Where({ record: { threadId, agent, openedAt, interrupt }, isOwn }: { record: InterruptRecord; isOwn: boolean }) {
  const words = useMessages(askWords);
  const locale = useLocale();
  const title = useStage(({ threads }) => threads.find(({ id }) => id === threadId)?.title);
  return (
    <header className="inbox-where">
      <Badge>{agent}</Badge>
      <span>{title ?? interrupt.message}</span>
      <span className="fs-muted">{words.asked(relativeTime(openedAt, Date.now(), locale))}</span>
      {isOwn && (
        <Button size="sm" kind="quiet" onPress={() => go(paths.thread(threadId))}>
          {words.openThread}
        </Button>
      )}
    </header>
  );
}
