/** Nothing in the gallery keeps anybody out, in either theme and in each phase; and it fits a phone. */
import { expect, test } from "vitest";
import { barriers } from "../src/access.js";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

async function slugs(): Promise<string[]> {
  const { page } = await Exhibit.at(here, "quick-quiz");
  return page.locator(".gallery-nav").getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("/").at(-1) ?? ""));
}

test.each(["light", "dark"] as const)("axe finds nothing serious in any exhibit (%s)", async (colorScheme) => {
  const { visitor, page } = await Exhibit.at(here, "quick-quiz", undefined, { colorScheme, reducedMotion: "reduce" });
  const found: string[] = [];
  for (const slug of await slugs()) {
    await page.goto(`${here.stage.url}/gallery/${slug}`);
    await page.locator(".gallery-main > h2").waitFor();
    await page.locator("[data-testid=stage] > *, .gallery-agents").first().waitFor();
    const phases = page.getByRole("radiogroup", { name: "Phase" });
    for (const phase of (await phases.count()) === 0 ? [undefined] : ["Streaming", "Answered", "Live"]) {
      if (phase !== undefined) await phases.getByRole("radio", { name: phase }).check({ force: true });
      found.push(...(await barriers(page)).map((barrier) => `${slug} ${phase ?? ""}: ${barrier}`));
    }
  }
  expect(found).toEqual([]);
  expect(visitor.mishaps).toEqual([]);
}, 300_000);

test("no exhibit is wider than a phone", async () => {
  const { page } = await Exhibit.at(here, "quick-quiz", undefined, { viewport: { width: 360, height: 720 }, hasTouch: true });
  const wide: string[] = [];
  for (const slug of await slugs()) {
    await page.goto(`${here.stage.url}/gallery/${slug}`);
    await page.locator("[data-testid=stage] > *, .gallery-agents").first().waitFor();
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(slug);
  }
  expect(wide).toEqual([]);
}, 120_000);
