/** Code in colours, by the parsers of the code editor. Each language is loaded when it is first seen. */
import type { Parser } from "@lezer/common";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { type ReactNode, use } from "react";
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
};

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
  const parts: ReactNode[] = [];
  highlightCode(
    code,
    parser.parse(code),
    classHighlighter,
    (text, classes) => parts.push(classes === "" ? text : <span key={parts.length} className={classes}>{text}</span>),
    () => parts.push("\n"),
  );
  return <code>{parts}</code>;
}
