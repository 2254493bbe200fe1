/** The languages of the editor and of snippets: their grammars are fetched when they are needed. */
import type { LanguageSupport } from "@codemirror/language";

export type Language = "python" | "javascript" | "java" | "html" | "css" | "json";

/** The grammar of a language. */
export async function loadLanguage(language: Language): Promise<LanguageSupport> {
  switch (language) {
    case "python":
      return (await import("@codemirror/lang-python")).python();
    case "javascript":
      return (await import("@codemirror/lang-javascript")).javascript();
    case "java":
      return (await import("@codemirror/lang-java")).java();
    case "html":
      return (await import("@codemirror/lang-html")).html();
    case "css":
      return (await import("@codemirror/lang-css")).css();
    case "json":
      return (await import("@codemirror/lang-json")).json();
  }
}

const SIGNS: [Language, RegExp][] = [
  ["html", /^\s*<(!doctype|[a-z][\w-]*[\s>])/i],
  ["java", /\b(public|private|protected)\s+(static\s+)?(class|void|int|String)\b|System\.out\./],
  ["javascript", /\b(const|let|var)\s+[\w{[]|console\.|=>|\bfunction\b|===/],
  ["python", /\b(def|elif|import|from|lambda|None|self)\b|\bprint\(|:\s*$|^\s*#/m],
  ["css", /^\s*[.#@\w][^{}]*\{[^}]*:[^}]*\}/m],
];

/** The language of a snippet, as far as one can tell. */
export function guessLanguage(code: string): Language | undefined {
  return SIGNS.find(([, sign]) => sign.test(code))?.[0];
}
