/** Talking: words as they come, everything an agent can show, stopping, queueing, files, going another way. */
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

test("the first message begins a conversation with an address of its own", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("hello there");
  expect(await ada.answers.allInnerTexts()).toEqual(["Hello! I am played from a file. Say anything, and I say it again."]);
  const thread = await ada.thread();
  await ada.page.reload();
  await ada.answers.first().waitFor();
  expect(await ada.page.getByTestId("said").allInnerTexts()).toEqual(["hello there"]);
  const { status } = await here.stage.json<{ status: string }>(`/v1/threads/${thread}`);
  expect(status).toBe("idle");
});

test("thoughts, plans, tools, helpers, tokens and time are all shown", async () => {
  const ada = await here.visit("/?agent=tour");
  await ada.hear("Zeeland");
  const { page } = ada;
  expect(await page.getByRole("region", { name: "Plan" }).innerText()).toContain("2/2");
  expect(await page.getByTestId("tool").locator("summary").innerText()).toContain("find_train");
  await page.getByTestId("tool").locator("summary").click();
  expect(await page.getByTestId("tool").innerText()).toContain("IC 145");
  expect(await page.locator(".fs-subagent").innerText()).toContain("researcher");
  await page.locator(".fs-reasoning summary").first().click();
  expect(await page.locator(".fs-reasoning").first().innerText()).toContain("They want to travel.");
  expect(await page.getByTestId("tokens").innerText()).toBe("12 in · 34 out");
  const time = page.getByTestId("tool").locator("summary .fs-muted");
  const took = await time.innerText();
  await page.reload();
  await page.getByTestId("tokens").waitFor();
  expect(await page.getByTestId("tokens").innerText()).toBe("12 in · 34 out");
  await page.locator(".fs-subagent").filter({ hasText: "researcher" }).waitFor();
  expect(await time.innerText()).toBe(took);
});

test("maths is drawn from what comes with the app, and money is not maths", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("It costs $5 or $10, and $a^2 + b^2 = c^2$:\n\n\\[\\frac{1}{2}\\]");
  const answer = ada.answers.first();
  await answer.locator(".katex").nth(1).waitFor();
  expect(await answer.locator(".katex").count()).toBe(2);
  expect(await answer.innerText()).toContain("$5 or $10");
  const loaded = await ada.page.evaluate(async () => (await document.fonts.ready, [...document.fonts].filter(({ family, status }) => family.includes("KaTeX") && status === "loaded").length));
  expect(loaded).toBeGreaterThan(0);
});

test("Markdown is drawn, and what could do harm is not", async () => {
  const ada = await here.visit("/?agent=hello");
  const wicked = "and <img src=x onerror=alert(1)> ![cat](https://example.com/cat.png) [go](javascript:alert(1))";
  await ada.hear(`**bold** ${wicked}\n\n\`\`\`python\nprint("hi")\n\`\`\``);
  const answer = ada.answers.first();
  expect(await answer.locator("strong").innerText()).toBe("bold");
  expect(await answer.locator("img, a").count()).toBe(0);
  expect(await answer.innerText()).toContain("cat");
  await answer.locator(".tok-string").waitFor();
  await answer.getByRole("button", { name: "Copy code" }).click();
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe('print("hi")');
});

test("Stop stands where Send was, and what was said stays", async () => {
  const ada = await here.visit("/?agent=long");
  await ada.say("Count the seconds");
  await ada.answers.filter({ hasText: "It is second 2." }).waitFor();
  expect(await ada.page.getByRole("button", { name: "Send" }).count()).toBe(0);
  await ada.stop.click();
  await ada.rest();
  expect(await ada.page.locator(".fs-end").innerText()).toContain("Stopped");
  expect(await ada.answers.allInnerTexts()).toContain("It is second 1.");
});

test("what is written meanwhile waits in line, and can be taken back", async () => {
  const ada = await here.visit("/?agent=long");
  const line = ada.page.getByTestId("outgoing");
  await ada.say("first");
  await ada.underWay();
  await ada.say("second");
  await ada.say("third");
  await line.filter({ hasText: "third" }).getByRole("button", { name: "Discard" }).click();
  expect(await line.allInnerTexts()).toEqual([expect.stringContaining("second")]);
  await ada.stop.click();
  await ada.page.getByTestId("said").filter({ hasText: "second" }).waitFor();
  expect(await ada.page.getByTestId("said").allInnerTexts()).toEqual(["first", "second"]);
  await ada.underWay();
  await ada.stop.click();
  await ada.rest();
});

test("an edited message is another version, and both stay", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("one");
  await ada.page.getByTestId("said").hover();
  await ada.page.getByRole("button", { name: "Edit" }).click();
  await ada.page.getByRole("textbox", { name: "Edit" }).fill("two");
  await ada.page.keyboard.press("Enter");
  await ada.answers.filter({ hasText: "You said: two" }).waitFor();
  const versions = ada.page.getByRole("group", { name: "Version 2 of 2" });
  await versions.waitFor();
  expect(await ada.page.getByTestId("said").allInnerTexts()).toEqual(["two"]);
  await versions.getByRole("button", { name: "Earlier version" }).click();
  await ada.answers.filter({ hasText: "You said: one" }).waitFor();
  await ada.page.reload();
  await ada.page.getByRole("group", { name: "Version 1 of 2" }).waitFor();
  expect(await ada.page.getByTestId("said").allInnerTexts()).toEqual(["one"]);
});

test("an answer can be asked for again", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("again and again");
  await ada.page.getByRole("button", { name: "Regenerate" }).click();
  await ada.page.getByRole("group", { name: "Version 2 of 2" }).waitFor();
  await ada.rest();
  expect(await ada.page.getByTestId("said").count()).toBe(1);
  expect(await ada.answers.count()).toBe(1);
});

test("a failure is told, and can be tried again", async () => {
  const ada = await here.visit("/?agent=error");
  await ada.hear("please");
  const alert = ada.page.locator(".fs-failure");
  expect(await alert.innerText()).toContain("It did not work: please");
  expect(await alert.innerText()).toContain("out_of_luck");
  await ada.page.reload();
  await alert.filter({ hasText: "out_of_luck" }).waitFor();
  await alert.getByRole("button", { name: "Try again" }).click();
  await ada.page.getByRole("group", { name: "Version 2 of 2" }).waitFor();
});

test("files come with the message, by button and by paste", async () => {
  const ada = await here.visit("/?agent=hello");
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");
  const chooser = ada.page.waitForEvent("filechooser");
  await ada.page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles([
    { name: "dot.png", mimeType: "image/png", buffer: pixel },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") },
  ]);
  await ada.page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
  await ada.composer.evaluate((area) => {
    const data = new DataTransfer();
    data.items.add(new File(["a,b"], "table.csv", { type: "text/csv" }));
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await ada.page.getByRole("button", { name: "Remove table.csv" }).waitFor();
  await ada.hear("look at these");
  const said = ada.page.getByTestId("said");
  expect(await said.getByRole("img", { name: "dot.png" }).count()).toBe(1);
  expect(await said.innerText()).toContain("notes.txt");
  const { messages } = await here.stage.json<{ messages: { content: { type: string }[] }[] }>(`/v1/threads/${await ada.thread()}/messages`);
  expect(messages[0]?.content.map(({ type }) => type)).toEqual(["text", "image", "document", "document"]);
});

test("the arrow up brings back what was said, and a slash lists commands", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("remember me");
  await ada.composer.press("ArrowUp");
  expect(await ada.composer.inputValue()).toBe("remember me");
  await ada.composer.fill("/in");
  await ada.page.getByRole("option", { name: /inbox/ }).waitFor();
  await ada.composer.press("Enter");
  await ada.page.waitForURL(/\/inbox$/);
});

test("an at sign asks another agent, for one message", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("hello there");
  await ada.composer.pressSequentially("@tou");
  const option = ada.page.getByRole("option", { name: /@tour/ });
  await option.waitFor();
  expect(await ada.composer.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await ada.composer.press("Enter");
  expect(await ada.composer.inputValue()).toBe("@tour ");
  await ada.composer.pressSequentially("Zeeland");
  await ada.composer.press("Enter");
  await ada.answers.filter({ hasText: "Your train leaves at 08:12." }).waitFor();
  const said = ada.page.getByTestId("said");
  await ada.rest();
  expect(await said.last().innerText()).toBe("@tour\n\nZeeland");
  await ada.hear("and you?");
  expect(await ada.answers.last().innerText()).toContain("and you?");
  await ada.page.reload();
  await said.nth(2).waitFor();
  await ada.page.locator(".fs-addressee").waitFor();
  expect(await said.allInnerTexts()).toEqual(["hello there", "@tour\n\nZeeland", "and you?"]);
  const { runs } = await here.stage.json<{ runs: { agent: string }[] }>(`/v1/threads/${await ada.thread()}/runs`);
  expect(runs.map(({ agent }) => agent)).toEqual(["hello", "tour", "hello"]);
});

test("a tool that the page does not know can be answered by hand", async () => {
  const ada = await here.visit("/?agent=client-tool");
  await ada.say("where am I?");
  await ada.rest();
  const tool = ada.page.getByTestId("tool").filter({ hasText: "waiting for you" });
  await tool.getByLabel("Your answer").fill('{"city":"Utrecht"}');
  await tool.getByRole("button", { name: "Answer" }).click();
  await ada.page.getByTestId("tool").filter({ hasText: "Utrecht" }).first().waitFor();
});

test("an answer can be quoted", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("something wise");
  await ada.page.getByRole("button", { name: "Quote" }).click();
  expect(await ada.composer.inputValue()).toBe("> You said: something wise\n\n");
});

test("a rating is kept", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("rate me");
  await ada.page.getByRole("button", { name: "Good answer" }).click();
  await ada.page.locator("[aria-label='Good answer'][aria-pressed=true]").waitFor();
  await ada.page.reload();
  await ada.page.locator("[aria-label='Good answer'][aria-pressed=true]").waitFor();
});
