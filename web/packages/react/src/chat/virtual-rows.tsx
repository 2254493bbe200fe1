/** The rows of a long conversation that can be seen, and a few around them. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect } from "react";
import { Row } from "./rows/row.js";
import type { Row as RowData } from "./session/index.js";

export function VirtualRows({ rows, scroller, place }: { rows: RowData[]; scroller: RefObject<HTMLDivElement | null>; place: number }) {
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === "end" ? 46 : 110),
    getItemKey: (at) => rows[at]?.key ?? at,
    initialOffset: () => rows.length * 110,
    overscan: 8,
    gap: 16,
  });
  // Rows far away are not drawn, so that only the list can go there.
  useEffect(() => {
    if (place >= 0) list.scrollToIndex(place, { align: "center" });
  }, [list, place]);
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
