/** One line of the timeline: when, what kind, what about. */
import { memo } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Icon } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import type { Finding } from "../../log/findings.js";
import { summaryOf } from "../../log/summary.js";
import { relative } from "../../log/time.js";
import { TypeBadge } from "../parts/type-badge.js";
import type { Line } from "./use-rows.js";

export interface RowLineProps {
  line: Line;
  id: string;
  position: number;
  count: number;
  top: number;
  isSelected: boolean;
  /** Whether it is in sight only because it is open, though the filter hides it. */
  isPinned: boolean;
  /** Whether it lies behind the moment that is shown. */
  isLater: boolean;
  finding: Finding | undefined;
  onSelect: (line: Line) => void;
  onToggle: (line: Line) => void;
}

/** The height of a row, which the list has to know beforehand. */
export const ROW_HEIGHT = 28;

export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { line, id, position, count, top, isSelected, isPinned, isLater, finding } = props;
  const t = useMessages(words);
  const { row, isPart, isOpen } = line;
  const { event, since, subagent } = row.first;
  const summary = row.text ?? summaryOf(event);
  return (
    <div
      id={id}
      className="fi-row"
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={position + 1}
      data-part={isPart ? "" : undefined}
      data-pinned={isPinned ? "" : undefined}
      data-later={isLater ? "" : undefined}
      data-run={event.type === "RUN_STARTED" ? "" : undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => props.onSelect(line)}
      onDoubleClick={() => props.onToggle(line)}
    >
      <span className="fi-row-time" dir="ltr">
        {relative(since)}
      </span>
      <Arrow isOpen={isOpen} onToggle={() => props.onToggle(line)} />
      <TypeBadge type={event.type} />
      <Count count={row.to - row.from + 1} />
      {finding !== undefined && <FindingMark finding={finding} />}
      {subagent !== null && <span className="fi-row-subagent">{subagent}</span>}
      {isPinned && <span className="fi-row-pinned">{t.outsideFilter}</span>}
      <bdi className="fi-row-summary">{summary}</bdi>
    </div>
  );
});

function Arrow({ isOpen, onToggle }: { isOpen: boolean | null; onToggle: () => void }) {
  if (isOpen === null) return <span className="fi-row-arrow" />;
  return (
    <span
      className="fi-row-arrow"
      data-open={isOpen ? "" : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name="chevron" className="fs-mirror" />
    </span>
  );
}

function Count({ count }: { count: number }) {
  const t = useMessages(words);
  return count > 1 ? (
    <span className="fi-row-count" dir="ltr" title={t.deltas(count)}>
      ×{count}
    </span>
  ) : null;
}

function FindingMark({ finding }: { finding: Finding }) {
  return (
    <span className="fi-row-finding" data-severity={finding.severity} title={finding.message}>
      <Icon name={finding.severity === "error" ? "error" : "warning"} />
      {finding.code}
    </span>
  );
}
