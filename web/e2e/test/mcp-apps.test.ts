/** Pages that tools of an MCP server bring along: drawn, asked, decided about, and kept in their place. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { scene } from "../src/scene.js";
import { Stage } from "../src/stage.js";
import type { Visitor } from "../src/visitor.js";

const DESK = fileURLToPath(new URL("../src/desk.mjs", import.meta.url));
const OFFICIAL = fileURLToPath(new URL("../../packages/react/node_modules/@modelcontextprotocol/ext-apps/dist/src/app-with-deps.js", import.meta.url));

const script = `rules:
${["calendar", "hostile", "official", "large"].map((tool) => `  - { when: { says: ${tool} }, do: [{ calls: [{ name: desk_${tool}, args: { day: Monday } }] }] }`).join("\n")}
  - { when: { result: "*" }, do: [{ text: Here it is. }] }
  - { do: [{ text: Hello! }] }
`;

/** Somebody whom no page may tell anything, and what they heard all the same. */
const leaks: string[] = [];
let elsewhere: Server;
let program: string;

const here = scene(async () => {
  elsewhere = createServer((request, response) => {
    leaks.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const address = `http://localhost:${(elsewhere.address() as AddressInfo).port}`;
  program = join(await mkdtemp(join(tmpdir(), "forestage-desk-")), "desk.mjs");
  await copyFile(DESK, program);
  const agent = (more: string) => `---
model: openai/test
mcp:
  desk: { command: node, args: [${JSON.stringify(program)}, ${JSON.stringify(OFFICIAL)}, ${JSON.stringify(address)}]${more} }
house:
  rules:
    - { tools: [desk_book], action: ask, risk: high, reason: A booking costs money. }
---
You work at a desk.
`;
  return Stage.played({ clerk: agent(""), trusting: agent(`, appHosts: [${JSON.stringify(address)}]`) }, script);
});

afterAll(async () => {
  elsewhere.close();
  await rm(join(program, ".."), { recursive: true, force: true });
});

const app = ({ page }: Visitor): Locator => page.getByTestId("app");
const frame = ({ page }: Visitor): Locator => page.locator(".fs-app-frame");
const inside = ({ page }: Visitor): FrameLocator => page.frameLocator(".fs-app-frame").frameLocator("iframe");
const runs = async (visitor: Visitor): Promise<number> => (await here.stage.json<{ runs: unknown[] }>(`/v1/threads/${await visitor.thread()}/runs`)).runs.length;

async function opened(tool: string, options: Parameters<typeof here.visit>[1] = {}, agent = "clerk"): Promise<Visitor> {
  const ada = await here.visit(`/?agent=${agent}`, options);
  await ada.hear(tool);
  return ada;
}

test("a page draws what went in and what came out, in the theme and the language of the app, and grows as it wants", async () => {
  const ada = await opened("calendar", { colorScheme: "dark" });
  await inside(ada).getByText("input Monday").waitFor();
  await inside(ada).getByText("free at ten").waitFor();
  await inside(ada).getByText("dark en").waitFor();
  expect(await frame(ada).getAttribute("title")).toBe("The calendar (desk)");
  await inside(ada).getByRole("button", { name: "Grow" }).click();
  await expect.poll(async () => (await frame(ada).boundingBox())?.height).toBe(557);
  await ada.page.emulateMedia({ colorScheme: "light" });
  await inside(ada).getByText("now light").waitFor();
});

test("a person decides about what a page calls, and the page hears of it", async () => {
  const ada = await opened("calendar");
  await inside(ada).getByRole("button", { name: "Book" }).click();
  await ada.question.waitFor();
  expect(await ada.question.innerText()).toContain("A booking costs money.");
  await inside(ada).getByText("asked", { exact: true }).waitFor();
  await ada.question.getByRole("button", { name: "Approve" }).click();
  await inside(ada).getByText("book on Monday").waitFor();
  await ada.rest();
  await inside(ada).getByRole("button", { name: "Book" }).click();
  await ada.question.getByRole("button", { name: "Reject" }).click();
  await ada.question.getByRole("button", { name: "Reject" }).click();
  await inside(ada).getByText("isError").waitFor();
});

test("a page made with the official package works, too", async () => {
  const ada = await opened("official");
  await inside(ada).getByText("official at ten").waitFor();
  await inside(ada).getByRole("button", { name: "Book" }).click();
  await inside(ada).getByText("look on Friday").waitFor();
  // The package tries out whether it may compile, and is told no.
  ada.mishaps.splice(0, Infinity, ...ada.mishaps.filter((mishap) => !mishap.includes("unsafe-eval")));
});

test("nothing is said, and no link opened, unless the person says so", async () => {
  const ada = await opened("calendar");
  await inside(ada).getByRole("button", { name: "Tell" }).click();
  await app(ada).getByText("The page says hello").waitFor();
  expect(await runs(ada)).toBe(1);
  await app(ada).getByRole("button", { name: "Decline" }).click();
  await inside(ada).getByText('{"isError":true}').waitFor();
  await inside(ada).getByRole("button", { name: "Link" }).click();
  const link = app(ada).getByRole("link", { name: "Open link" });
  expect([await link.getAttribute("href"), await link.getAttribute("rel")]).toEqual(["https://example.org/", "noopener noreferrer nofollow"]);
  await app(ada).getByRole("button", { name: "Decline" }).click();
  await inside(ada).getByRole("button", { name: "Tell" }).click();
  await app(ada).getByRole("button", { name: "Edit first" }).click();
  expect(await ada.composer.inputValue()).toBe("The page says hello");
  await ada.composer.fill("");
  await inside(ada).getByRole("button", { name: "Tell" }).click();
  await app(ada).getByRole("button", { name: "Send" }).click();
  await ada.answers.filter({ hasText: "Hello!" }).waitFor();
});

test("what a page shows is told to the model with what the person says next", async () => {
  const ada = await opened("calendar");
  await inside(ada).getByRole("button", { name: "Know" }).click();
  await inside(ada).getByText("{}").waitFor();
  const sent = ada.page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/runs"));
  await ada.say("hello");
  const { context } = (await sent).postDataJSON() as { context: { value: string }[] };
  expect(context.map(({ value }) => value)).toEqual(['{"chosen":"ten"}']);
  await ada.answers.filter({ hasText: "Hello!" }).waitFor();
});

test("the keyboard goes into the page, and screen readers know what it is", async () => {
  const ada = await opened("calendar");
  await inside(ada).getByText("free at ten").waitFor();
  await inside(ada).getByRole("button", { name: "Book" }).focus();
  await ada.page.keyboard.press("Tab");
  await ada.page.keyboard.press("Enter");
  await expect.poll(async () => (await frame(ada).boundingBox())?.height).toBe(557);
  expect(await ada.page.getByRole("region", { name: "The calendar (desk)" }).count()).toBe(1);
});

test("a hostile page reaches nobody, and what it says past its frame is not heard", async () => {
  const ada = await opened("hostile");
  await inside(ada).getByText("done", { exact: true }).waitFor();
  const said = async (id: string) => inside(ada).locator(`#${id}`).innerText();
  expect(await said("fetched")).toBe("stopped: TypeError");
  expect(await said("parent")).toBe("stopped: SecurityError");
  expect(await said("storage")).toBe("stopped: SecurityError");
  expect(await said("compiled")).toBe("stopped: EvalError");
  expect(await said("spoofed")).toContain("that its pages may call");
  await ada.rest();
  // What it asked for by the proper way is a run that was refused; what it asked for past it is none.
  expect(await runs(ada)).toBe(2);
  expect([await ada.question.count(), await app(ada).getByText("spoofed").count()]).toEqual([0, 0]);
  const left = ada.page.waitForEvent("framenavigated", (frame) => frame.parentFrame()?.parentFrame() !== null);
  await inside(ada).getByText("Leave").click();
  await left;
  expect(ada.page.url()).toContain(here.stage.url);
  expect(leaks).toEqual([]);
  const expected = /Content Security Policy|sandbox|Blocked|Unsafe attempt|^request: http:\/\/localhost/;
  expect(ada.mishaps.filter((mishap) => !expected.test(mishap))).toEqual([]);
  ada.mishaps.length = 0;
});

test("where the agent file allows it, a page reaches the host that it asks for, and still nothing else of ours", async () => {
  const ada = await opened("hostile", {}, "trusting");
  await inside(ada).getByText("done", { exact: true }).waitFor();
  expect(await inside(ada).locator("#fetched").innerText()).toBe("got in: fetched");
  expect(await inside(ada).locator("#parent").innerText()).toBe("stopped: SecurityError");
  await expect.poll(() => leaks.toSorted()).toEqual(["/beacon", "/fetch"]);
  leaks.length = 0;
  ada.mishaps.length = 0;
});

test("a page that is too large is not shown, and its result can be read", async () => {
  const ada = await opened("large");
  await app(ada).getByText("and may have 2097152").waitFor();
  await app(ada).getByText("Tool result").click();
  await app(ada).getByText("at ten").first().waitFor();
  expect(await frame(ada).count()).toBe(0);
});

test("after a reload, in another tab, and when its server is gone for good, the page is there", async () => {
  const ada = await opened("calendar");
  await inside(ada).getByText("free at ten").waitFor();
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await inside(other).getByText("free at ten").waitFor();
  await here.stage.kill();
  await rm(program);
  await here.stage.restart();
  // Clicks are for the tab in front, and reach only frames that were drawn there: frames inside frames are drawn by processes
  // of their own, which a tab that has just come to the front has not heard from yet.
  await ada.page.bringToFront();
  await ada.page.reload();
  await inside(ada).getByText("input Monday").waitFor();
  await inside(ada).getByText("free at ten").waitFor();
  await inside(ada).getByRole("button", { name: "Book" }).click();
  await inside(ada).getByText("refused").waitFor();
});
