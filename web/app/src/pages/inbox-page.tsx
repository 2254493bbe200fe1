/** Everything that waits for a decision, on all conversations; what was decided lately; and what is always allowed. */
import type { InterruptRecord, Rule } from "@forestage/client";
import { Badge, Button, Icon, relativeTime, useLocale, useMessages } from "@forestage/react";
import { Decided, QuestionCard, askWords } from "@forestage/react/chat";
import { useEffect, useState } from "react";
import { type Route, go, paths } from "../router.js";
import { Shell } from "../shell/shell.js";
import { api, isMine, useStage } from "../stage.js";
import "./inbox.css";

export function InboxPage({ route }: { route: Route }) {
  const words = useMessages(askWords);
  const { questions, server } = useStage();
  const [risk, setRisk] = useState("");
  const shown = questions.filter((question) => risk === "" || question.risk === risk);
  const { decided, rules, refresh } = useRecord(questions);
  const mine = questions.filter((question) => isMine(question, server?.user)).length;
  useEffect(() => {
    document.title = `${mine > 0 ? `(${mine}) ` : ""}${words.inbox} · Forestage`;
  }, [mine, words]);
  return (
    <Shell route={route} title={<h1>{words.inbox}</h1>}>
      <div className="inbox">
        {questions.length > 0 && (
          <label className="inbox-filter">
            {words.filterRisk}{" "}
            <select className="fs-input" value={risk} onChange={({ target }) => setRisk(target.value)}>
              <option value="">{words.all}</option>
              {["low", "medium", "high", "critical"].map((one) => (
                <option key={one} value={one}>
                  {words.risk(one)}
                </option>
              ))}
            </select>
          </label>
        )}
        {shown.length === 0 && (
          <div className="inbox-empty">
            <Icon name="inbox" />
            <h2>{words.inboxEmpty}</h2>
            <p>{words.inboxEmptyWhy}</p>
          </div>
        )}
        {shown.map((question) => (
          <article key={`${question.threadId} ${question.id}`}>
            <Where question={question} />
            <QuestionCard record={question} api={api} user={server?.user} onDecided={refresh} />
          </article>
        ))}
        {rules.length > 0 && <Rules rules={rules} onRemove={refresh} />}
        {decided.length > 0 && (
          <section aria-labelledby="decided">
            <h2 id="decided">{words.decided}</h2>
            {decided.map((question) => (
              <article key={`${question.threadId} ${question.id}`}>
                <Where question={question} />
                <Decided record={question} user={server?.user} />
              </article>
            ))}
          </section>
        )}
      </div>
    </Shell>
  );
}

/** Decisions and rules, asked for again whenever something was decided. */
function useRecord(questions: readonly InterruptRecord[]): { decided: InterruptRecord[]; rules: Rule[]; refresh: () => void } {
  const [decided, setDecided] = useState<InterruptRecord[]>([]);
  const [rules, setRules] = useState<Rule[]>([]);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    void Promise.all([api.interrupts({ decided: true, limit: 1000 }), api.rules()]).then(([{ interrupts }, rules]) => {
      if (!wanted) return;
      const done = interrupts.filter(({ decision }) => decision !== null);
      setDecided(done.toSorted((one, other) => (other.decision?.at ?? 0) - (one.decision?.at ?? 0)).slice(0, 20));
      setRules(rules);
    });
    return () => {
      wanted = false;
    };
  }, [questions, round]);
  return { decided, rules, refresh: () => setRound((before) => before + 1) };
}

function Where({ question: { threadId, agent, openedAt, interrupt } }: { question: InterruptRecord }) {
  const words = useMessages(askWords);
  const locale = useLocale();
  const title = useStage(({ threads }) => threads.find(({ id }) => id === threadId)?.title);
  return (
    <header className="inbox-where">
      <Badge>{agent}</Badge>
      <span>{title ?? interrupt.message}</span>
      <span className="fs-muted">{words.asked(relativeTime(openedAt, Date.now(), locale))}</span>
      <Button size="sm" kind="quiet" onPress={() => go(paths.thread(threadId))}>
        {words.openThread}
      </Button>
    </header>
  );
}

function Rules({ rules, onRemove }: { rules: Rule[]; onRemove: () => void }) {
  const words = useMessages(askWords);
  return (
    <section aria-labelledby="rules">
      <h2 id="rules">{words.rules}</h2>
      <p className="fs-muted">{words.rulesWhy}</p>
      <ul className="rules">
        {rules.map(({ id, agent, tool, threadId }) => (
          <li key={id}>
            <code>{tool}</code> <Badge>{agent}</Badge>
            <span className="fs-muted">{threadId === null ? words.everywhere : words.here}</span>
            <Button size="sm" kind="danger" onPress={() => void api.removeRule(id).then(onRemove)}>
              {words.takeBack}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
