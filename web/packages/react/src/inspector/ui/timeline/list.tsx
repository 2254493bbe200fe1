/** The list of events: as long as it may be, only what is in sight is drawn. */
import { type Virtualizer, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { useFindings, useInspected, useInspection } from "../../store/context.js";
import { Empty } from "../parts/empty.js";
import { ROW_HEIGHT, RowLine } from "./row.js";
import type { Line, Lines } from "./use-rows.js";

export function EventList({ lines, pinned, toggle }: Lines) {
  const t = useMessages(words);
  const inspection = useInspection();
  const selected = useInspected((state) => state.selected);
  const position = useInspected((state) => state.position);
  const findings = useFindings();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const [isAtEnd, setIsAtEnd] = useState(true);
  const active = lines.findIndex((line) => line.row.from <= (selected ?? -1) && (selected ?? -1) <= line.row.to && (line.isPart || line.isOpen !== true || line.row.from === selected));

  // New events pull the list along, as long as its end is in sight and nobody looks at another moment or event.
  const isFollowing = isAtEnd && position === null && (selected === null || active === lines.length - 1);
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines.length, virtual]);

  // A scrubber that moves brings its moment into sight.
  useEffect(() => {
    if (position === null) return;
    const at = lines.findIndex((line) => line.row.to >= position);
    if (at >= 0) virtual.scrollToIndex(at, { align: "auto" });
  }, [position, lines, virtual]);

  useKeepInSight(frame, virtual, active);

  const select = useCallback((line: Line) => inspection.select(line.row.from), [inspection]);
  const open = useCallback((line: Line) => line.isOpen !== null && toggle(line.row), [toggle]);

  const go = (to: number) => {
    const line = lines[Math.min(Math.max(to, 0), lines.length - 1)];
    if (line === undefined) return;
    inspection.select(line.row.from);
    virtual.scrollToIndex(lines.indexOf(line), { align: "auto" });
  };
  const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 300) / ROW_HEIGHT) - 1);

  const key = (event: KeyboardEvent) => {
    const line = lines[active];
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active < 0 ? lines.length - 1 : active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      [isMirrored ? "ArrowLeft" : "ArrowRight"]: () => line?.isOpen === false && toggle(line.row, true),
      [isMirrored ? "ArrowRight" : "ArrowLeft"]: () => line?.isOpen === true && toggle(line.row, false),
      Escape: () => inspection.select(null),
      Enter: () => line !== undefined && inspection.seek(line.row.to),
    };
    const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  return (
    <div className="fi-list">
      {/* The list takes part in the tab order even when it is empty, so that a reader finds out that it is. */}
      <div
        ref={frame}
        className="fi-list-scroll"
        role="listbox"
        tabIndex={0}
        aria-label={t.events}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        onKeyDown={key}
        onScroll={({ currentTarget: box }) => setIsAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < ROW_HEIGHT)}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: "relative" }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return (
              <RowLine
                key={`${line.row.from}${line.isPart ? "p" : ""}`}
                line={line}
                id={`${id}-${index}`}
                position={index}
                count={lines.length}
                top={start}
                isSelected={index === active}
                isPinned={line.row.from === pinned}
                isLater={position !== null && line.row.from > position}
                finding={findingIn(line, findings)}
                onSelect={select}
                onToggle={open}
              />
            );
          })}
        </div>
      </div>
      {lines.length === 0 && <Nothing />}
      {!isAtEnd && position === null && lines.length > 0 && (
        <div className="fi-list-latest">
          <IconButton icon="down" kind="plain" label={t.toLatest} onPress={() => virtual.scrollToIndex(lines.length - 1, { align: "end" })} />
        </div>
      )}
    </div>
  );
}

/** Keeps the open event in sight when it is opened, when a filter moves it, and when the list becomes smaller. */
function useKeepInSight(frame: RefObject<HTMLDivElement | null>, virtual: Virtualizer<HTMLDivElement, Element>, active: number): void {
  const at = useRef(active);
  at.current = active;
  const show = useCallback(() => {
    if (at.current >= 0) virtual.scrollToIndex(at.current, { align: "auto" });
  }, [virtual]);
  useEffect(show, [show, active]);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new ResizeObserver(show);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame, show]);
}

function findingIn(line: Line, findings: ReturnType<typeof useFindings>) {
  for (let index = line.row.from; index <= line.row.to && findings.size > 0; index++) {
    const found = findings.get(index)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

function Nothing() {
  const t = useMessages(words);
  const hasEvents = useInspected((state) => state.rows.length > 0);
  const failure = useInspected((state) => state.failure);
  if (failure !== null) return <Empty icon="error" title={failure} />;
  return hasEvents ? <Empty icon="search" title={t.noMatch} /> : <Empty icon="inspect" title={t.noEvents} hint={t.noEventsHint} />;
}
