/** What is being written, kept in this tab: a reload must not take it away. */
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";

export function useDraft(key: string | undefined): [string, Dispatch<SetStateAction<string>>] {
  const [text, setText] = useState(() => (key === undefined ? "" : (sessionStorage.getItem(nameOf(key)) ?? "")));
  useEffect(() => {
    if (key === undefined) return;
    try {
      if (text === "") sessionStorage.removeItem(nameOf(key));
      else sessionStorage.setItem(nameOf(key), text);
    } catch {
      // A browser that keeps nothing is no reason to stop.
    }
  }, [key, text]);
  return [text, setText];
}

const nameOf = (key: string) => `forestage.draft.${key}`;
