/** The inbox: a list beside the request, keys, the order, what comes next, two people, phones, and no server. */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { barriers, paint } from "../src/access.js";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";
import { Visitor } from "../src/visitor.js";

const here = scene();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

/** Begins a conversation without a page. It returns when the agent asks. */
async function ask(agent: string, text: string): Promise<string> {
  const threadId = crypto.randomUUID();
  const input = { threadId, runId: crypto.randomUUID(), protocolVersion: "1.0", messages: [{ id: crypto.randomUUID(), role: "user", content: text }] };
  const run = await fetch(`${here.stage.url}/v1/agents/${agent}/runs`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(input) });
  await run.text();
  return threadId;
}

/** Leaves nothing for the next test. */
async function empty(): Promise<void> {
  const { interrupts } = await here.stage.json<{ interrupts: { id: string; threadId: string }[] }>("/v1/interrupts");
  for (const { id, threadId } of interrupts) {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ status: "cancelled" }) };
    await fetch(`${here.stage.url}/v1/interrupts/${encodeURIComponent(id)}?thread=${threadId}`, init);
  }
}

const items = ({ page }: Visitor): Locator => page.locator("section[aria-labelledby=inbox-waiting] .inbox-item");
const current = ({ page }: Visitor): Locator => page.locator(".inbox-item[aria-current=true]");

/** What has the focus: a question by its id, or a tag. */
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute("data-question") ?? document.activeElement?.tagName ?? "");

test("the most serious comes first, then what expires first, with one request for each list", async () => {
  await empty();
  await ask("form", "book a table");
  await ask("approval", "write a mail");
  await ask("refunds", "refund 200");
  await ask("refunds", "refund 2000");
  const ada = await here.visit("/");
  await ada.page.getByRole("link", { name: "Inbox 4 waiting", exact: true }).waitFor();
  const asked: string[] = [];
  ada.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const read = [ada.page.waitForResponse(/\/v1\/interrupts\?decided/), ada.page.waitForResponse(/\/v1\/rules/)];
  await ada.page.goto(`${here.stage.url}/inbox`);
  await ada.question.waitFor();
  await Promise.all(read);
  const texts = await items(ada).allInnerTexts();
  expect(texts.map((text) => /Critical|High|Medium/.exec(text)?.[0])).toEqual(["Critical", "High", "Medium", undefined]);
  expect(await current(ada).innerText()).toContain("Critical");
  expect(asked.filter((path) => path === "/v1/interrupts")).toHaveLength(2);
  expect(asked.filter((path) => path === "/v1/rules")).toHaveLength(1);
});

test("J and K move, E edits, A approves, R rejects, and the next request comes by itself", async () => {
  await empty();
  const [first, second] = [await ask("refunds", "refund 200"), await ask("refunds", "refund 200")];
  await ask("approval", "write a mail");
  const ada = await here.visit("/inbox");
  await ada.page.waitForURL(`**/inbox/${first}/*`);
  await ada.question.waitFor();
  await ada.page.keyboard.press("j");
  await ada.page.waitForURL(`**/inbox/${second}/*`);
  await ada.page.keyboard.press("k");
  await ada.page.waitForURL(`**/inbox/${first}/*`);
  await ada.page.keyboard.press("e");
  const amount = ada.page.getByLabel(/^Amount/);
  await amount.fill("15");
  // Letters are letters while somebody types.
  await ada.page.getByLabel("Order", { exact: true }).fill("");
  await ada.page.keyboard.type("jark");
  expect(await ada.page.getByLabel("Order", { exact: true }).inputValue()).toBe("jark");
  await ada.page.keyboard.press("Control+Enter");
  await ada.page.waitForURL(`**/inbox/${second}/*`);
  await ada.page.waitForFunction(() => document.activeElement?.matches(".fs-question[data-open=true]"));
  await ada.page.keyboard.press("r");
  await ada.page.keyboard.type("Paid before");
  await ada.page.keyboard.press("Control+Enter");
  await ada.question.getByText("send_email").waitFor();
  await ada.page.waitForFunction(() => document.activeElement?.matches(".fs-question[data-open=true]"));
  await ada.page.keyboard.press("a");
  await ada.page.getByRole("heading", { name: "Nothing to decide", exact: true }).waitFor();
  await ada.page.waitForFunction(() => document.activeElement?.matches(".fs-question[data-open=false]"));
});

test("a decision shows what was called, what was changed, why, by whom, and where it led", async () => {
  await empty();
  const thread = await ask("refunds", "refund 200");
  const ada = await here.visit("/inbox");
  await ada.question.getByRole("button", { name: "Edit", exact: true }).click();
  await ada.page.getByLabel(/^Amount/).fill("150");
  await ada.question.getByRole("button", { name: "Approve as edited", exact: true }).click();
  const decided = ada.page.getByTestId("decided");
  await decided.getByText("The agent finished.").waitFor();
  const text = await decided.innerText();
  expect(text).toContain("Approved by you");
  expect(text).toContain("refund");
  expect(await decided.locator("del").innerText()).toBe("€200.00");
  expect(await decided.locator("ins code").innerText()).toBe("€150.00");
  expect(await decided.locator("time").first().getAttribute("datetime")).toMatch(/^\d{4}-/);
  await decided.getByRole("link", { name: "Open the result", exact: true }).click();
  await ada.page.waitForURL(`**/threads/${thread}#*`);
  await ada.answers.filter({ hasText: "150 euros are on their way." }).waitFor();
});

test("two people of the demo approve what needs two, without a key", async () => {
  await empty();
  const thread = await ask("refunds", "refund 2000");
  const ada = await here.visit("/inbox");
  await ada.page.getByRole("link", { name: "Inbox 1 waiting", exact: true }).waitFor();
  await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
  await ada.question.getByText("You approved. Waiting for one more approver.", { exact: true }).waitFor();
  await ada.page.waitForFunction(() => document.activeElement?.matches(".fs-question"));
  await ada.page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
  expect(await items(ada).innerText()).toContain("Waiting for one more approver");
  await ada.page.getByRole("button", { name: "Switch to grace", exact: true }).click();
  await ada.page.getByRole("button", { name: /^grace Act as/ }).waitFor();
  await ada.question.getByText("1 of 2 approved", { exact: true }).waitFor();
  expect(await ada.page.getByRole("button", { name: "Open conversation", exact: true }).count()).toBe(0);
  await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
  await ada.page.getByTestId("decided").getByText("Approved by local and you", { exact: true }).waitFor();
  await ada.page.getByRole("button", { name: /Act as/ }).click();
  await ada.page.getByRole("option", { name: "local", exact: true }).click();
  await ada.page.getByRole("button", { name: /^local Act as/ }).waitFor();
  await ada.page.goto(`${here.stage.url}/threads/${thread}`);
  await ada.answers.filter({ hasText: "2000 euros are on their way." }).waitFor();
  expect(await ada.page.getByTestId("decided").innerText()).toContain("Approved by you and grace");
});

test("an approval shows its arguments although nothing else can be read", async () => {
  await empty();
  await ask("approval", "write a mail");
  const ada = await here.visit("/gallery");
  await ada.page.getByRole("link", { name: "Inbox 1 waiting", exact: true }).waitFor();
  await ada.page.route(/\/v1\/(threads|interrupts|rules)(?!.*follow)/, (route) => (route.request().method() === "GET" ? route.abort() : route.continue()));
  await ada.page.getByRole("link", { name: "Inbox 1 waiting", exact: true }).click();
  expect(await ada.question.locator(".fs-arguments").innerText()).toContain("ada@example.org");
  expect(await ada.question.getByRole("button", { name: "Approve", exact: true }).isEnabled()).toBe(true);
});

test("a call whose arguments are not known cannot be approved", async () => {
  await empty();
  await ask("approval", "write a mail");
  const ada = await here.visit("/gallery");
  await ada.page.route(/follow=true/, async (route) => {
    const { interrupts } = await here.stage.json<{ interrupts: { interrupt: { metadata?: Record<string, unknown> } }[] }>("/v1/interrupts");
    const opened = interrupts.map((interrupt) => {
      delete interrupt.interrupt.metadata?.["arguments"];
      return `data: ${JSON.stringify({ type: "opened", interrupt })}\n\n`;
    });
    await route.fulfill({ contentType: "text/event-stream", body: `${opened.join("")}data: {"type":"ready"}\n\n` });
  });
  await ada.page.goto(`${here.stage.url}/inbox`);
  await ada.question.getByText(/arguments of this call are not available/).waitFor();
  expect(await ada.question.getByRole("button", { name: "Approve", exact: true }).isDisabled()).toBe(true);
  await ada.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("on a phone the list comes first, then the request with a way back", async () => {
  await empty();
  await ask("approval", "write a mail");
  await ask("refunds", "refund 200");
  const ada = await here.visit("/inbox", phone);
  await items(ada).first().waitFor();
  expect(await ada.question.count()).toBe(0);
  await items(ada).first().tap();
  await ada.question.getByText("refund", { exact: true }).waitFor();
  expect(await items(ada).count()).toBe(0);
  expect(await ada.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await ada.page.getByRole("button", { name: "Back to the inbox", exact: true }).tap();
  await items(ada).nth(1).tap();
  await ada.question.getByText("Shall I send this e-mail?").waitFor();
  await ada.question.getByRole("button", { name: "Approve", exact: true }).tap();
  await ada.question.getByText("refund", { exact: true }).waitFor();
});

for (const theme of ["light", "dark"] as const) {
  test(`nobody is kept out of the inbox in the ${theme}`, async () => {
    await empty();
    await ask("refunds", "refund 2000");
    await ask("refunds", "refund 200");
    await ask("form", "book a table");
    const ada = await here.visit("/inbox", { colorScheme: theme, reducedMotion: "reduce" });
    await ada.question.waitFor();
    await paint(ada.page, theme);
    expect(await barriers(ada.page)).toEqual([]);
    await ada.page.keyboard.press("j");
    await ada.page.keyboard.press("e");
    await ada.page.getByLabel(/^Amount/).waitFor();
    expect(await barriers(ada.page)).toEqual([]);
    await ada.page.getByRole("button", { name: /Remember/ }).click();
    await ada.page.getByRole("option", { name: "Always", exact: true }).click();
    await ada.question.getByRole("button", { name: "Approve as edited", exact: true }).click();
    await ada.page.getByRole("heading", { name: "Remembered approvals", exact: true }).waitFor();
    await ada.question.getByText("When, and for how many?").waitFor();
    // React Aria announces the pressed button by its element for some seconds, and that is gone.
    await ada.page.locator("[data-live-announcer] [role=img]").waitFor({ state: "detached" });
    expect(await barriers(ada.page)).toEqual([]);
    await ada.page.locator("section[aria-labelledby=inbox-decided] .inbox-item").first().click();
    await ada.page.getByTestId("decided").getByRole("link", { name: "Open the result", exact: true }).waitFor();
    expect(await barriers(ada.page)).toEqual([]);
    await ada.page.getByRole("button", { name: "Revoke", exact: true }).click();
    await ada.page.getByRole("heading", { name: "Remembered approvals", exact: true }).waitFor({ state: "detached" });
    expect(await focused(ada.page)).not.toBe("BODY");
  });
}

test("without the server the inbox says so, decides nothing, and goes on when it is back", async () => {
  await empty();
  await ask("refunds", "refund 200");
  const ada = await here.visit("/inbox");
  await ada.question.waitFor();
  await here.stage.kill();
  await ada.page.locator(".fs-banner").waitFor();
  await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
  await ada.question.getByRole("alert").getByText(/Nothing was decided/).waitFor();
  await here.stage.restart();
  await ada.page.locator(".fs-banner").waitFor({ state: "detached" });
  await ada.question.getByRole("button", { name: "Approve", exact: true }).click();
  await ada.page.getByTestId("decided").getByText("Approved by you", { exact: true }).waitFor();
});

test("a server that is no demo offers nobody to be", async () => {
  const stage = await Stage.serve("", { plain: "rules:\n  - do: [{ text: Hello. }]\n" });
  const ada = await Visitor.at(here.browser, stage.url, "/inbox");
  await ada.page.getByRole("heading", { name: "Nothing to decide", exact: true }).waitFor();
  expect(await ada.page.getByRole("button", { name: /Act as/ }).count()).toBe(0);
  // Whoever was somebody in a demo at this address is the local user here.
  await ada.page.evaluate(() => sessionStorage.setItem("forestage.key", "fs_demo_grace"));
  await ada.page.reload();
  await ada.page.getByRole("heading", { name: "Nothing to decide", exact: true }).waitFor();
  expect(await ada.page.evaluate(() => sessionStorage.getItem("forestage.key"))).toBeNull();
  await ada.leave();
  await stage.stop();
});
