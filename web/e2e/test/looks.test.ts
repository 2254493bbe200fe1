/** How it looks, on large and small screens, in the light and in the dark; and that nobody is kept out. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { barriers } from "../src/access.js";
import { scene } from "../src/scene.js";
import type { Visitor } from "../src/visitor.js";

const IMAGES = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const here = scene();

/** The pictures that the documentation shows. */
const SHOWN = ["home-light", "chat-light", "chat-dark", "approval-light", "inbox-dark", "gallery-light", "chat-phone"];

/** Keeps a picture, where they are wanted anew. */
async function picture(visitor: Visitor, name: string): Promise<void> {
  if (process.env["UPDATE"] !== "1" || !SHOWN.includes(name)) return;
  await mkdir(IMAGES, { recursive: true });
  await visitor.page.evaluate(() => document.fonts.ready);
  await visitor.page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled", caret: "hide" });
}

const calm = { reducedMotion: "reduce" } as const;
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

for (const colorScheme of ["light", "dark"] as const) {
  test(`no page keeps anybody out in the ${colorScheme}`, async () => {
    const ada = await here.visit("/", { ...calm, colorScheme });
    await ada.page.getByRole("heading", { name: "What can we help with?" }).waitFor();
    await picture(ada, `home-${colorScheme}`);
    expect(await barriers(ada.page)).toEqual([]);

    await ada.page.goto(`${here.stage.url}/?agent=tour`);
    await ada.hear("Zeeland");
    await picture(ada, `chat-${colorScheme}`);
    expect(await barriers(ada.page)).toEqual([]);

    await ada.page.goto(`${here.stage.url}/?agent=refunds`);
    await ada.say("refund 200");
    await ada.question.getByRole("button", { name: "Edit" }).click();
    await picture(ada, `approval-${colorScheme}`);
    expect(await barriers(ada.page)).toEqual([]);

    await ada.page.goto(`${here.stage.url}/inbox`);
    await ada.question.first().waitFor();
    await picture(ada, `inbox-${colorScheme}`);
    expect(await barriers(ada.page)).toEqual([]);
    await ada.question.first().getByRole("button", { name: "Approve" }).click();
    await ada.page.getByTestId("decided").first().waitFor();

    await ada.page.goto(`${here.stage.url}/gallery`);
    await ada.page.locator(".gallery-main").waitFor();
    await ada.page.locator(".gallery-main .fs-skeleton").waitFor({ state: "detached" });
    await picture(ada, `gallery-${colorScheme}`);
    expect(await barriers(ada.page)).toEqual([]);
  });
}

test("a phone has the conversation, and the menu behind a button", async () => {
  const ada = await here.visit("/?agent=tour", { ...calm, ...phone });
  await ada.page.getByRole("heading", { name: "What can we help with?" }).waitFor();
  expect(await ada.page.locator(".sidebar").count()).toBe(0);
  await ada.hear("Zeeland");
  expect(await ada.page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width);
  await picture(ada, "chat-phone");
  expect(await barriers(ada.page)).toEqual([]);
  await ada.page.getByRole("button", { name: "Menu" }).tap();
  await ada.page.getByRole("dialog").getByRole("link", { name: /Inbox/ }).tap();
  await ada.page.waitForURL(/\/inbox$/);
  await ada.page.getByRole("dialog").waitFor({ state: "detached" });
});

test("right to left is mirrored, and keeps nobody out either", async () => {
  const ada = await here.visit("/?agent=hello", calm);
  await ada.page.getByRole("button", { name: "Settings" }).click();
  await ada.page.getByRole("menuitemradio", { name: "Right to left" }).click();
  await ada.page.keyboard.press("Escape");
  await ada.hear("שלום");
  const [menu, said] = await Promise.all([ada.page.locator(".sidebar").boundingBox(), ada.page.getByTestId("said").boundingBox()]);
  expect(menu?.x).toBeGreaterThan(said?.x ?? Number.POSITIVE_INFINITY);
  expect(await barriers(ada.page)).toEqual([]);
});

test("paper gets the conversation and nothing else", async () => {
  const ada = await here.visit("/?agent=tour", calm);
  await ada.hear("print this");
  await ada.page.emulateMedia({ media: "print" });
  expect(await ada.page.locator(".sidebar").isVisible()).toBe(false);
  expect(await ada.composer.isVisible()).toBe(false);
  expect(await ada.answers.last().isVisible()).toBe(true);
});
