/** What axe finds wrong with a page for people who cannot see it, use a mouse, or read small contrasts. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where to look and for what. Default: everywhere, for everything. */
export interface Look {
  within?: string;
  /** Only this, such as `color-contrast`: what else axe finds does not change with the theme. */
  rule?: string;
  /** What counts. Default: serious, which is also critical. */
  least?: "moderate" | "serious";
}

/** What keeps people out, in words: serious and critical, and moderate where that is asked for. */
export async function barriers(page: Page, look: Look = {}): Promise<string[]> {
  await page.evaluate(stillness);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await source);
  const violations = await page.evaluate(violationsOf, look);
  const counts = look.least === "moderate" ? ["moderate", "serious", "critical"] : ["serious", "critical"];
  return violations
    .filter(({ impact }) => counts.includes(impact ?? ""))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`));
}

/** Runs in the page. */
async function violationsOf({ within, rule }: Look): Promise<Violation[]> {
  const { axe } = globalThis as unknown as { axe: { run: (where: unknown, options: object) => Promise<{ violations: Violation[] }> } };
  const runOnly = rule === undefined ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] : { type: "rule", values: [rule] };
  return (await axe.run(within ?? document, { runOnly, resultTypes: ["violations"] })).violations;
}

/** Shows the page in a theme, at once: colours on their way from one to the other are nobody's. */
export async function paint(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.evaluate(() => {
    if (document.documentElement.dataset["still"] !== undefined) return;
    document.documentElement.dataset["still"] = "";
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { transition: none !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
  });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Waits for what fades in: half faded, no colour is what it will be. What never ends, such as a spinner, is not waited for. Runs in the page. */
async function stillness(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
