// @ts-check
/** Somebody in front of the page, who knows what is on the screen and nothing else. */

export class Visitor {
  /** @param {import("playwright-core").Page} page @param {string[]} complaints */
  constructor(page, complaints) {
    this.page = page;
    /** What the page wrote to the console as an error. */
    this.complaints = complaints;
    this.input = page.getByRole("textbox", { name: "Message" });
    this.said = page.getByTestId("said");
    this.answers = page.getByTestId("answer");
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
      // A thread that does not exist yet is asked for all the same, and browsers log the answer.
      if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${origin}/?${new URLSearchParams(query)}`);
    return new Visitor(page, complaints);
  }

  /** @param {string} text */
  async say(text) {
    await this.input.fill(text);
    // Until the history is there and nothing runs, the page takes no message.
    await this.page.getByRole("button", { name: "Send", disabled: false }).click();
  }

  /** Waits until an answer has these words. @param {string} text */
  async hears(text) {
    await this.answers.filter({ hasText: text }).last().waitFor();
  }

  /** Waits until nothing runs. */
  async rests() {
    await this.page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  }

  async stop() {
    await this.page.getByRole("button", { name: "Stop" }).click();
  }
}
