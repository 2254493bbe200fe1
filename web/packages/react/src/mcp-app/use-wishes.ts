/** The wishes of a page, one after the other. Each is allowed or refused once; those that nobody looks at are refused. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Wish } from "./ask.js";

/** So many may wait: a page that wants more than that wants to be in the way. */
const MAX_WISHES = 3;

interface Open {
  wish: Wish;
  settle: (isAllowed: boolean) => void;
}

export interface Wishes {
  /** The one to decide about. */
  wish: Wish | undefined;
  ask: (wish: Wish) => Promise<boolean>;
  decide: (isAllowed: boolean) => void;
}

export function useWishes(): Wishes {
  const [open, setOpen] = useState<readonly Open[]>([]);
  const all = useRef<readonly Open[]>([]);
  const change = useCallback((next: readonly Open[]) => {
    all.current = next;
    setOpen(next);
  }, []);
  const ask = useCallback(
    (wish: Wish) =>
      new Promise<boolean>((settle) => {
        if (all.current.length >= MAX_WISHES) settle(false);
        else change([...all.current, { wish, settle }]);
      }),
    [change],
  );
  const decide = useCallback(
    (isAllowed: boolean) => {
      const [first, ...rest] = all.current;
      first?.settle(isAllowed);
      change(rest);
    },
    [change],
  );
  useEffect(
    () => () => {
      for (const { settle } of all.current) settle(false);
      all.current = [];
    },
    [],
  );
  return { wish: open[0]?.wish, ask, decide };
}
