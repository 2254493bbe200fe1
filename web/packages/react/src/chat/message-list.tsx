/**
 * The rows of a conversation in a place that scrolls. It stays at the end while somebody reads there, and stays put while
 * they read further up. Long conversations draw only the rows that can be seen.
 */
import { Suspense, lazy, memo, useEffect, useRef } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { Row } from "./rows/row.js";
import type { Row as RowData } from "./session/index.js";
import { useStickToEnd } from "./use-stick-to-end.js";
import { words } from "./words.js";
import "./message-list.css";

const VirtualRows = lazy(async () => ({ default: (await import("./virtual-rows.js")).VirtualRows }));

/** Fewer rows than these are simply drawn: find-in-page and printing work on them all. */
const MANY = 120;

/** Where a message is among the rows. */
export function rowOf(rows: readonly RowData[], message: string): number {
  return rows.findIndex((row) => (row.kind === "user" || row.kind === "text") && row.message.id === message);
}

export const MessageList = memo(function MessageList({ rows, place }: { rows: RowData[]; place?: string | undefined }) {
  const messages = useMessages(words);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd, letGo } = useStickToEnd(scroller, content);
  // Whoever says something wants to see it.
  const mine = rows.filter(({ kind }) => kind === "outgoing").length;
  const before = useRef(mine);
  useEffect(() => {
    if (mine > before.current) toEnd();
    before.current = mine;
  }, [mine, toEnd]);
  // A link to a message opens there, once, however the conversation grows afterwards.
  const at = place === undefined ? -1 : rowOf(rows, place);
  const isThere = at >= 0;
  useEffect(() => {
    if (!isThere || place === undefined) return;
    letGo();
    const row = document.getElementById(place);
    row?.scrollIntoView({ block: "center" });
    row?.setAttribute("data-found", "");
    return () => row?.removeAttribute("data-found");
  }, [place, isThere, letGo]);
  return (
    <div className="fs-list">
      <div className="fs-scroller" ref={scroller} tabIndex={0} role="log" aria-label={messages.conversation} aria-live="off">
        <div className="fs-column" ref={content}>
          {rows.length > MANY ? (
            <Suspense>
              <VirtualRows rows={rows} scroller={scroller} place={at} />
            </Suspense>
          ) : (
            <Plain rows={rows} />
          )}
        </div>
      </div>
      {!atEnd && (
        <Button className="fs-jump" icon="down" onPress={toEnd}>
          {messages.jump}
        </Button>
      )}
    </div>
  );
});

function Plain({ rows }: { rows: RowData[] }) {
  return (
    <div className="fs-rows">
      {rows.map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </div>
  );
}
