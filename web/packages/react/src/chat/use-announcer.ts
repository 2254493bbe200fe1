/** Tells screen readers what is finished: whole answers and new questions, never single words. */
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/index.js";
import type { Row, SessionState } from "./session/index.js";
import { askWords } from "./approval/index.js";
import { words } from "./words.js";

export function useAnnouncer(state: SessionState, rows: readonly Row[]): [string, (text: string) => void] {
  const messages = useMessages(words);
  const { needsYou } = useMessages(askWords);
  const [text, setText] = useState("");
  const running = state.running !== undefined;
  const before = useRef(running);
  const waiting = state.questions.filter(({ decision }) => decision === null).length;
  useEffect(() => {
    if (before.current && !running) {
      const end = rows.findLast((row) => row.kind === "end");
      const said = end?.kind === "end" ? end.text.slice(0, 600) : "";
      setText(waiting > 0 ? needsYou : said === "" ? messages.finished : said);
    }
    before.current = running;
  }, [running, waiting, rows, messages, needsYou]);
  return [text, setText];
}
