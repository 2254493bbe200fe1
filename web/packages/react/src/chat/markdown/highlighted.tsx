/** Code in colours, by the parsers of the code editor. Each language is loaded when it is first seen. */
import type { StreamParser } from "@codemirror/language";
import { type Parser, type Tree, TreeFragment } from "@lezer/common";
import { classHighlighter, highlightTree } from "@lezer/highlight";
import { type ReactNode, memo, use, useRef } from "react";
import { type Language, languageOf } from "./languages.js";

const LOADERS: Record<Language, () => Promise<Parser>> = {
  javascript: async () => (await import("@codemirror/lang-javascript")).javascriptLanguage.parser,
  jsx: async () => (await import("@codemirror/lang-javascript")).jsxLanguage.parser,
  typescript: async () => (await import("@codemirror/lang-javascript")).typescriptLanguage.parser,
  tsx: async () => (await import("@codemirror/lang-javascript")).tsxLanguage.parser,
  python: async () => (await import("@codemirror/lang-python")).pythonLanguage.parser,
  java: async () => (await import("@codemirror/lang-java")).javaLanguage.parser,
  json: async () => (await import("@codemirror/lang-json")).jsonLanguage.parser,
  css: async () => (await import("@codemirror/lang-css")).cssLanguage.parser,
  html: async () => (await import("@codemirror/lang-html")).htmlLanguage.parser,
  rust: async () => (await import("@codemirror/lang-rust")).rustLanguage.parser,
  go: async () => (await import("@codemirror/lang-go")).goLanguage.parser,
  cpp: async () => (await import("@codemirror/lang-cpp")).cppLanguage.parser,
  sql: async () => (await import("@codemirror/lang-sql")).StandardSQL.language.parser,
  yaml: async () => (await import("@codemirror/lang-yaml")).yamlLanguage.parser,
  markdown: async () => (await import("@codemirror/lang-markdown")).markdownLanguage.parser,
  toml: async () => streamed((await import("@codemirror/legacy-modes/mode/toml")).toml),
  shell: async () => streamed((await import("@codemirror/legacy-modes/mode/shell")).shell),
  diff: async () => streamed((await import("@codemirror/legacy-modes/mode/diff")).diff),
};

/** The parser of a language that is read line by line. */
async function streamed(mode: StreamParser<unknown>): Promise<Parser> {
  const { StreamLanguage } = await import("@codemirror/language");
  return StreamLanguage.define(mode).parser;
}

const loaded = new Map<Language, Promise<Parser>>();

function parserOf(language: Language): Promise<Parser> {
  const known = loaded.get(language) ?? LOADERS[language]();
  loaded.set(language, known);
  return known;
}

export function Highlighted({ code, language }: { code: string; language: string }) {
  const known = languageOf(language);
  if (known === undefined) return <code>{code}</code>;
  return <Coloured code={code} parser={use(parserOf(known))} />;
}

function Coloured({ code, parser }: { code: string; parser: Parser }) {
  const before = useRef<Parsed>(undefined);
  const { tree } = (before.current = parsed(code, parser, before.current));
  const pieces = linesOf(code);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return <code><Lines {...only} tree={tree} /></code>;
  // Each stands by itself for the browser, too, which then lays out only the last one anew.
  return (
    <code>
      {pieces.map((piece) => (
        <span key={piece.from} className="fs-lines">
          <Lines {...piece} tree={tree} />
        </span>
      ))}
    </code>
  );
}

interface Parsed {
  code: string;
  tree: Tree;
}

/** Code that goes on is read from near the end of what was read before. */
function parsed(code: string, parser: Parser, before: Parsed | undefined): Parsed {
  if (before?.code === code) return before;
  if (before === undefined || !code.startsWith(before.code)) return { code, tree: parser.parse(code) };
  const end = before.code.length;
  const known = TreeFragment.applyChanges(TreeFragment.addTree(before.tree), [{ fromA: end, toA: end, fromB: end, toB: code.length }]);
  return { code, tree: parser.parse(code, known) };
}

/** So many lines are coloured at once. */
const TOGETHER = 16;

/** Code, some lines at a time, and where they are. The line breaks between pieces are in none of them. */
export function linesOf(code: string): { from: number; text: string }[] {
  const lines = code.split("\n");
  const pieces: { from: number; text: string }[] = [];
  let from = 0;
  for (let at = 0; at < lines.length; at += TOGETHER) {
    const text = lines.slice(at, at + TOGETHER).join("\n");
    pieces.push({ from, text });
    from += text.length + 1;
  }
  return pieces;
}

/** Lines in their colours. What follows them does not change these, so they are drawn once while more code is being written. */
const Lines = memo(
  function Lines({ text, from, tree }: { text: string; from: number; tree: Tree }) {
    const parts: ReactNode[] = [];
    let at = 0;
    const plain = (to: number) => to > at && parts.push(text.slice(at, to));
    highlightTree(
      tree,
      classHighlighter,
      (begin, end, classes) => {
        plain(begin - from);
        at = Math.min(end - from, text.length);
        parts.push(
          <span key={begin} className={classes}>
            {text.slice(Math.max(begin - from, 0), at)}
          </span>,
        );
      },
      from,
      from + text.length,
    );
    plain(text.length);
    return parts;
  },
  (one, other) => one.text === other.text && one.from === other.from,
);
