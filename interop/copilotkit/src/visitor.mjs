// @ts-check
/** Somebody in front of the page, who knows what is on the screen and nothing else. */

export class Visitor {
  /** @param {import("playwright-core").Page} page @param {string[]} complaints */
  constructor(page, complaints) {
    this.page = page;
    /** What the page wrote to the console as an error. */
    this.complaints = complaints;
    this.input = page.getByTestId("copilot-chat-textarea");
    this.button = page.getByTestId("copilot-send-button");
    this.answers = page.getByTestId("copilot-assistant-message");
    this.questions = page.getByTestId("copilot-user-message");
    this.threads = page.getByRole("navigation", { name: "Threads" });
  }

  /**
   * @param {import("playwright-core").BrowserContext} context
   * @param {string} origin
   * @param {Record<string, string>} query
   */
  static async open(context, origin, query) {
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${origin}/?${new URLSearchParams(query)}`);
    return new Visitor(page, complaints);
  }

  /** @param {string} text */
  async say(text) {
    await this.input.fill(text);
    // Until the page knows the agents of its runtime it takes no message: Enter does nothing, and the button is disabled.
    await this.page.locator("[data-testid=copilot-send-button]:enabled").waitFor();
    await this.input.press("Enter");
  }

  /** Waits until the last answer has these words. @param {string} text */
  async hears(text) {
    await this.answers.filter({ hasText: text }).last().waitFor();
  }

  /** The button that sends is the one that stops while an answer comes. */
  async stop() {
    await this.button.click();
  }

  /** Waits until nothing runs: then the page says what could be copied or said again. */
  async rests() {
    await this.page.locator("[data-copilot-running=false]").first().waitFor();
  }

  /** @param {string} id */
  thread(id) {
    return this.threads.locator(`[data-thread="${id}"]`);
  }

  async refreshThreads() {
    await this.threads.getByRole("button", { name: "Refresh" }).click();
  }
}
