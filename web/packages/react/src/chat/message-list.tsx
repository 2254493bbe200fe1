/**
 * The rows of a conversation in a place that scrolls. It stays at the end while somebody reads there, and stays put while
 * they read further up. Long conversations draw only the rows that can be seen.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useRef } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { Row } from "./rows/row.js";
import type { Row as RowData } from "./session/index.js";
import { useStickToEnd } from "./use-stick-to-end.js";
import { words } from "./words.js";
import "./message-list.css";

/** Fewer rows than these are simply drawn: find-in-page and printing work on them all. */
const MANY = 120;

export function MessageList({ rows }: { rows: RowData[] }) {
  const messages = useMessages(words);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useStickToEnd(scroller, content);
  return (
    <div className="fs-list">
      <div className="fs-scroller" ref={scroller} tabIndex={0} role="log" aria-label={messages.conversation} aria-live="off">
        <div className="fs-column" ref={content}>
          {rows.length > MANY ? <Virtual rows={rows} scroller={scroller} /> : <Plain rows={rows} />}
        </div>
      </div>
      {!atEnd && (
        <Button className="fs-jump" icon="down" onPress={toEnd}>
          {messages.jump}
        </Button>
      )}
    </div>
  );
}

function Plain({ rows }: { rows: RowData[] }) {
  return (
    <div className="fs-rows">
      {rows.map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </div>
  );
}

function Virtual({ rows, scroller }: { rows: RowData[]; scroller: RefObject<HTMLDivElement | null> }) {
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === "end" ? 46 : 110),
    getItemKey: (at) => rows[at]?.key ?? at,
    initialOffset: () => rows.length * 110,
    overscan: 8,
    gap: 16,
  });
  return (
    <div className="fs-virtual" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return (
          <div key={item.key} data-index={item.index} ref={list.measureElement} style={{ transform: `translateY(${item.start}px)` }}>
            {row !== undefined && <Row row={row} />}
          </div>
        );
      })}
    </div>
  );
}
