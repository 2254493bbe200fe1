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
  rs: "rust",
  rust: "rust",
  go: "go",
  golang: "go",
  c: "cpp",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  "c++": "cpp",
  hpp: "cpp",
  sql: "sql",
  sqlite: "sql",
  postgresql: "sql",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  shell: "shell",
  console: "shell",
  diff: "diff",
  patch: "diff",
  md: "markdown",
  markdown: "markdown",
};

export type Language =
  | "javascript"
  | "jsx"
  | "typescript"
  | "tsx"
  | "python"
  | "java"
  | "json"
  | "css"
  | "html"
  | "rust"
  | "go"
  | "cpp"
  | "sql"
  | "yaml"
  | "toml"
  | "shell"
  | "diff"
  | "markdown";

export function languageOf(name: string): Language | undefined {
  return NAMES[name.toLowerCase()];
}

export function hasColours(name: string): boolean {
  return languageOf(name) !== undefined;
}
