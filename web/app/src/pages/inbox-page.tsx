/** Everything that waits for a decision, on all conversations: a list, and the request that is chosen in it. */
import type { InterruptRecord } from "@forestage/client";
import { Button, useMessages } from "@forestage/react";
import { askWords, useFocusKeeper } from "@forestage/react/chat";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Detail } from "../inbox/detail.js";
import { KeyHints } from "../inbox/key-hints.js";
import { InboxList, type RiskFilter } from "../inbox/list.js";
import { nextOf, ordered } from "../inbox/order.js";
import { PersonSwitch } from "../inbox/person.js";
import { useInboxKeys } from "../inbox/use-keys.js";
import { useRecords } from "../inbox/use-records.js";
import { inboxWords } from "../inbox/words.js";
import { type Route, go, paths } from "../router.js";
import { Shell } from "../shell/shell.js";
import { useMedia } from "../shell/use-media.js";
import { isMine, keyOf, settled, useStage } from "../stage.js";
import "./inbox.css";

type InboxRoute = Extract<Route, { page: "inbox" }>;

export function InboxPage({ route }: { route: InboxRoute }) {
  const words = useMessages(askWords);
  const own = useMessages(inboxWords);
  const { questions, server, connections } = useStage();
  const user = server?.user;
  const narrow = useMedia("(max-width: 56rem)");
  const [risk, setRisk] = useState<RiskFilter>("any");
  const records = useRecords();
  const waiting = useMemo(() => ordered(questions, user).filter((question) => risk === "any" || question.risk === risk), [questions, user, risk]);
  const chosen = useChosen(route, [...questions, ...records.decided]);
  // Who moves by key, or has decided, works in the request; who points at the list stays in the list.
  const [worksInside, setWorksInside] = useState(false);
  const [place, detail] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  useFocusKeeper(place);
  useTitle(words.inbox, questions.filter((question) => isMine(question, user)).length);

  const show = useCallback((record: InterruptRecord) => go(paths.question(record.threadId, record.id), { replace: true }), []);
  // One that comes in while somebody reads must not take the place of what they read, so the address says which it is.
  const first = connections > 0 && !narrow && route.question === undefined ? waiting[0] : undefined;
  useEffect(() => {
    if (first !== undefined) show(first);
  }, [first, show]);
  const key = chosen === undefined ? undefined : keyOf(chosen);
  const move = useCallback(
    (step: number) => {
      const at = waiting.findIndex((one) => keyOf(one) === key);
      const next = waiting[at < 0 ? 0 : at + step];
      setWorksInside(true);
      if (next !== undefined) show(next);
    },
    [waiting, key, show],
  );
  useInboxKeys(detail, move);
  const onDecided = (record: InterruptRecord) => {
    const next = nextOf(waiting, record, user);
    setWorksInside(true);
    settled(record);
    records.refreshRules();
    if (next !== undefined) show(next);
  };

  return (
    <Shell route={route} title={<h1>{words.inbox}</h1>} actions={<PersonSwitch />}>
      <div className="inbox" ref={place} data-narrow={narrow}>
        {(!narrow || chosen === undefined) && (
          <InboxList {...records} waiting={waiting} total={questions.length} risk={risk} onRisk={setRisk} user={user} chosen={key} onGo={() => setWorksInside(narrow)} />
        )}
        {(!narrow || chosen !== undefined) && (
          <div className="inbox-detail" ref={detail}>
            {narrow && (
              <Button kind="quiet" icon="back" onPress={() => go(paths.inbox)}>
                {own.back}
              </Button>
            )}
            {chosen === undefined ? (
              questions.length > 0 && <p className="fs-muted">{own.choose}</p>
            ) : (
              <Detail record={chosen} user={user} grabsFocus={worksInside} onDecided={onDecided} />
            )}
            {!narrow && chosen !== undefined && isMine(chosen, user) && <KeyHints record={chosen} />}
          </div>
        )}
      </div>
    </Shell>
  );
}

function useChosen({ thread, question }: InboxRoute, records: readonly InterruptRecord[]): InterruptRecord | undefined {
  if (thread === undefined || question === undefined) return undefined;
  return records.find((record) => record.threadId === thread && record.id === question);
}

function useTitle(name: string, waiting: number): void {
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${name} · Forestage`;
  }, [name, waiting]);
}
