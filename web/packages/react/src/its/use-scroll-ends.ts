/** Whether a row that scrolls sideways is at its ends. */
import { type RefObject, useEffect, useState } from "react";

export interface Ends {
  start: boolean;
  end: boolean;
}

export function useScrollEnds(ref: RefObject<HTMLElement | null>): Ends {
  const [ends, setEnds] = useState<Ends>({ start: true, end: true });
  useEffect(() => {
    const row = ref.current;
    if (row === null) return;
    const look = () => setEnds((known) => changed(known, endsOf(row)));
    const observer = new ResizeObserver(look);
    observer.observe(row);
    row.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      row.removeEventListener("scroll", look);
    };
  }, [ref]);
  return ends;
}

/** Rows from right to left count downwards from zero. */
function endsOf(row: HTMLElement): Ends {
  const passed = Math.abs(row.scrollLeft);
  return { start: passed <= 1, end: passed >= row.scrollWidth - row.clientWidth - 1 };
}

function changed(known: Ends, found: Ends): Ends {
  return known.start === found.start && known.end === found.end ? known : found;
}
