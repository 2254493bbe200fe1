/**
 * Somebody with a browser. They remember everything that should not have happened: errors on the page, and requests to
 * anywhere but the server.
 */
import { type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page, chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function browser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["FORESTAGE_CHROMIUM"] ?? "/usr/bin/chromium", args: ARGUMENTS });
}

export class Visitor {
  /** What should not have happened. */
  readonly mishaps: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly url: string,
  ) {
    // A build machine that does three other things is slow, and not wrong.
    page.setDefaultTimeout(45_000);
    page.setDefaultNavigationTimeout(45_000);
    page.on("pageerror", (error) => this.mishaps.push(`error: ${error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      // A server that is killed is missed, and a refusal is an answer: browsers log both.
      if (message.type() === "error" && !/Failed to load resource|net::ERR_/.test(text)) this.mishaps.push(`console: ${text}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) this.mishaps.push(`request: ${request.url()}`);
    });
  }

  static async at(browser: Browser, url: string, path = "/", options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    return Visitor.in(context, url, path);
  }

  static async in(context: BrowserContext, url: string, path = "/"): Promise<Visitor> {
    const visitor = new Visitor(await context.newPage(), context, url);
    await visitor.page.goto(url + path);
    return visitor;
  }

  /** Another tab of the same person. */
  tab(path: string): Promise<Visitor> {
    return Visitor.in(this.context, this.url, path);
  }

  get composer(): Locator {
    return this.page.getByRole("textbox", { name: /^(Write to|Schrijf aan)/ });
  }

  get answers(): Locator {
    return this.page.getByTestId("answer");
  }

  /** Stops the answer. The name is exact: what an agent says of itself on its card may contain the word. */
  get stop(): Locator {
    return this.page.getByRole("button", { name: "Stop", exact: true });
  }

  get question(): Locator {
    return this.page.locator(".fs-question[data-open=true]");
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /** Says something and waits until the answer is complete. */
  async hear(text: string): Promise<void> {
    const before = await this.page.locator(".fs-end").count();
    await this.say(text);
    await this.page.locator(".fs-end").nth(before).waitFor();
  }

  async rest(): Promise<void> {
    await this.page.locator("[data-testid=thread][data-running=false]").waitFor();
  }

  async underWay(): Promise<void> {
    await this.page.locator("[data-testid=thread][data-running=true]").waitFor();
  }

  /** The thread whose page this is. */
  async thread(): Promise<string> {
    await this.page.waitForURL(/\/threads\//);
    return decodeURIComponent(new URL(this.page.url()).pathname.split("/")[2] ?? "");
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}
