/** The languages that code can be coloured in, and the names people give them. */

const NAMES: Record<string, Language> = {
  js: "javascript",
  javascript: "javascript",
  mjs: "javascript",
  jsx: "jsx",
  ts: "typescript",
  typescript: "typescript",
  tsx: "tsx",
  py: "python",
  python: "python",
  java: "java",
  json: "json",
  jsonl: "json",
  css: "css",
  html: "html",
  xml: "html",
  svg: "html",
};

export type Language = "javascript" | "jsx" | "typescript" | "tsx" | "python" | "java" | "json" | "css" | "html";

export function languageOf(name: string): Language | undefined {
  return NAMES[name.toLowerCase()];
}

export function hasColours(name: string): boolean {
  return languageOf(name) !== undefined;
}
