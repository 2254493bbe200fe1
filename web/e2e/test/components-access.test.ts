/** Nothing in the gallery keeps anybody out, in either theme and in each phase; and it fits a phone. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, paint } from "../src/access.js";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

/** Goes from one exhibit to the next, without loading the page again. */
async function* tour(page: Page): AsyncGenerator<string> {
  const links = page.locator(".gallery-nav").getByRole("link");
  for (let at = 0; at < (await links.count()); at += 1) {
    const link = links.nth(at);
    await link.evaluate((element: HTMLElement) => element.click());
    await page.locator(".gallery-main > h2", { hasText: await link.innerText() }).waitFor();
    await page.locator("[data-testid=stage] > *, .gallery-agents").first().waitFor();
    yield (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  }
}

test("axe finds nothing serious in any exhibit, in any phase, in either theme", async () => {
  const { page } = await Exhibit.at(here, "quick-quiz", undefined, { colorScheme: "light", reducedMotion: "reduce" });
  const found = (await barriers(page, { least: "moderate" })).map((barrier) => `the page: ${barrier}`);
  const seen: string[] = [];
  for await (const slug of tour(page)) {
    const phases = page.getByRole("radiogroup", { name: "Phase" });
    for (const phase of (await phases.count()) === 0 ? [""] : ["Streaming", "Answered", "Live"]) {
      if (phase !== "") await phases.getByRole("radio", { name: phase }).check({ force: true });
      const all = await barriers(page, { within: ".gallery-main", least: "moderate" });
      await paint(page, "dark");
      const dark = await barriers(page, { within: ".gallery-main", rule: "color-contrast" });
      await paint(page, "light");
      found.push(...[...all, ...dark].map((barrier) => `${slug} ${phase}: ${barrier}`));
      seen.push(`${slug} ${phase}`);
    }
  }
  expect(found).toEqual([]);
  expect(seen.length).toBeGreaterThan(45);
}, 300_000);

test("no exhibit is wider than a phone, and its name is in sight", async () => {
  const { page } = await Exhibit.at(here, "quick-quiz", undefined, { viewport: { width: 360, height: 720 }, hasTouch: true });
  const wide: string[] = [];
  for await (const slug of tour(page)) {
    const isNamed = await page.locator(".gallery-nav [aria-current]").evaluate((link) => link.getBoundingClientRect().left >= 0 && link.getBoundingClientRect().right <= innerWidth);
    if (!isNamed || (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))) wide.push(slug);
  }
  expect(wide).toEqual([]);
}, 120_000);
