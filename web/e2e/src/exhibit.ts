/** Something in the gallery, with what somebody does to it and what would be sent. */
import type { Locator, Page } from "playwright-core";
import type { Scene } from "./scene.js";
import type { Visitor } from "./visitor.js";

export class Exhibit {
  private constructor(
    readonly visitor: Visitor,
    readonly page: Page,
  ) {}

  /** Opens an exhibit, with one of its examples. */
  static async at(scene: Scene, slug: string, example?: string, options: Parameters<Scene["visit"]>[1] = {}): Promise<Exhibit> {
    const visitor = await scene.visit(`/gallery/${slug}`, options);
    const exhibit = new Exhibit(visitor, visitor.page);
    await exhibit.show(example);
    return exhibit;
  }

  /** The exhibit as nobody has touched it yet, without loading the page again. */
  async anew(slug: string, example?: string): Promise<void> {
    await this.turnTo("agents");
    await this.page.getByRole("region", { name: "Agents", exact: true }).waitFor();
    await this.turnTo(slug);
    await this.show(example);
  }

  private async show(example: string | undefined): Promise<void> {
    await this.stage.waitFor();
    if (example !== undefined) await this.page.getByRole("radio", { name: example, exact: true }).check({ force: true });
  }

  private async turnTo(slug: string): Promise<void> {
    await this.page.locator(`.gallery-nav a[href="/gallery/${slug}"]`).evaluate((link: HTMLElement) => link.click());
  }

  get stage(): Locator {
    return this.page.getByTestId("stage");
  }

  button(name: string | RegExp): Locator {
    return this.stage.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
  }

  /** What would have been sent. */
  async answer(): Promise<unknown> {
    const place = this.page.getByTestId("answer");
    await place.filter({ hasText: "{" }).waitFor();
    return JSON.parse(await place.innerText());
  }

  /** Puts other arguments into the editor. */
  async give(args: unknown): Promise<void> {
    await this.page.locator(".gallery-columns .cm-content").fill(JSON.stringify(args));
  }

  /** The keyboard is in front of the stage; from here on there is no mouse. */
  async begin(): Promise<void> {
    await this.page.getByRole("radio", { name: "Live" }).focus();
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Presses Tab until something with this name has the keyboard. */
  async tabTo(name: RegExp): Promise<void> {
    const seen: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      await this.page.keyboard.press("Tab");
      const focused = await this.page.evaluate(nameOfFocused);
      if (name.test(focused)) return;
      seen.push(focused);
    }
    throw new Error(`Tab never came to ${name}, only to ${seen.join(" | ")}`);
  }

  /** Moves the mouse from the middle of one thing to the middle of another, with the button down. */
  async drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await middle(from), await middle(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 5 });
    await this.page.mouse.move(end.x, end.y, { steps: 5 });
    await this.page.mouse.up();
  }
}

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not to be seen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What a screen reader would about say of what has the keyboard. Runs in the page. */
function nameOfFocused(): string {
  const element = document.activeElement;
  if (element === null) return "";
  const labelled = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.textContent ?? "") : [];
  const said = [element.getAttribute("aria-label") ?? "", ...labelled, ...labels, element.textContent ?? ""];
  return said.map((part) => part.trim()).find((part) => part !== "") ?? "";
}
