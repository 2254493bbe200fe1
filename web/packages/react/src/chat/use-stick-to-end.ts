/** Keeps a scroller at its end while it is there, however its content grows. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 48;

export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  /** Somebody wants to read elsewhere. */
  const letGo = useCallback(() => {
    sticks.current = false;
    setAtEnd(false);
  }, []);

  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current];
    if (outer === null || inner === null) return;
    let height = outer.scrollHeight;
    const onScroll = () => {
      const distance = outer.scrollHeight - outer.scrollTop - outer.clientHeight;
      // A scroller that grew has not been scrolled by anybody.
      if (outer.scrollHeight !== height && sticks.current) return;
      sticks.current = distance < NEAR;
      setAtEnd(sticks.current);
    };
    const onGrowth = () => {
      height = outer.scrollHeight;
      if (sticks.current) outer.scrollTop = outer.scrollHeight;
      else setAtEnd(outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR);
    };
    outer.addEventListener("scroll", onScroll, { passive: true });
    const watch = new ResizeObserver(onGrowth);
    watch.observe(inner);
    watch.observe(outer);
    onGrowth();
    return () => {
      outer.removeEventListener("scroll", onScroll);
      watch.disconnect();
    };
  }, [scroller, content]);

  return { atEnd, toEnd, letGo };
}
