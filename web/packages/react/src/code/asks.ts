/** What can be run, and whether it will ask somebody for something. */

export type Runnable = "javascript" | "python" | "html" | "css";

/** Whether code asks somebody for something while it runs. */
export function asks(language: Runnable, code: string): boolean {
  return language === "python" ? /\binput\s*\(|\bstdin\b/.test(code) : language === "javascript" && /\bprompt\s*\(/.test(code);
}
