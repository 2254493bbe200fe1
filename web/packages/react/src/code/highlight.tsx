/** Code to look at: plain at once, with colours when the grammar is there. */
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { type ReactNode, useEffect, useState } from "react";
import { type Language, loadLanguage } from "./languages.js";
import "./code.css";

export function Highlighted({ code, language }: { code: string; language: Language | undefined }) {
  const [pieces, setPieces] = useState<ReactNode[]>();
  useEffect(() => {
    setPieces(undefined);
    if (language === undefined) return;
    let isCurrent = true;
    void loadLanguage(language).then(
      ({ language }) => isCurrent && setPieces(piecesOf(code, language.parser.parse(code))),
      // Without a grammar it stays plain.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  return (
    <pre className="fs-code" dir="ltr" tabIndex={0}>
      {pieces ?? code}
    </pre>
  );
}

function piecesOf(code: string, tree: Parameters<typeof highlightCode>[1]): ReactNode[] {
  const pieces: ReactNode[] = [];
  highlightCode(
    code,
    tree,
    classHighlighter,
    (text, classes) =>
      pieces.push(
        classes === "" ? (
          text
        ) : (
          <span key={pieces.length} className={classes}>
            {text}
          </span>
        ),
      ),
    () => pieces.push("\n"),
  );
  return pieces;
}
