/** Decisions: in place, in another tab, in the inbox, by keyboard; and drafts that wait to be looked at. */
import { expect, test } from "vitest";
import { scene } from "../src/scene.js";

const here = scene();

test("edited arguments are approved in one tab, and the other says by whom", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.waitFor();
  expect(await ada.question.innerText()).toContain("High risk");
  expect(await ada.question.innerText()).toContain("Refund €200 for order B-4?");
  const other = await ada.tab(`/threads/${await ada.thread()}`);
  await other.question.waitFor();
  await ada.question.getByRole("button", { name: "Edit" }).click();
  await ada.page.getByLabel("Amount").fill("0");
  await ada.page.getByText("At least 1.").waitFor();
  await ada.page.getByLabel("Amount").fill("150");
  await ada.question.getByRole("button", { name: "Approve as edited" }).click();
  for (const visitor of [ada, other]) {
    await visitor.answers.filter({ hasText: "150 euros are on their way." }).waitFor();
    const decided = await visitor.page.getByTestId("decided").innerText();
    expect(decided).toContain("Approved by you");
    expect(decided).toContain("150");
    expect(await visitor.question.count()).toBe(0);
  }
});

test("a question outlives a reload, and is answered by keyboard alone", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.waitFor();
  await ada.page.reload();
  await ada.question.waitFor();
  await ada.page.waitForFunction(() => document.activeElement?.classList.contains("fs-question"));
  await ada.page.keyboard.press("Escape");
  await ada.page.keyboard.type("The customer has changed their mind");
  await ada.page.keyboard.press("Control+Enter");
  await ada.page.getByTestId("decided").waitFor();
  expect(await ada.page.getByTestId("decided").innerText()).toContain("The customer has changed their mind");
  await ada.answers.filter({ hasText: "There is no refund." }).waitFor();
});

test("the inbox has what waits, and remembers what is always allowed", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.waitFor();
  const thread = await ada.thread();
  await ada.page.getByRole("link", { name: "Inbox 1 waiting" }).click();
  await ada.question.getByRole("button", { name: /Remember/ }).click();
  await ada.page.getByRole("option", { name: "In this conversation", exact: true }).click();
  await ada.question.getByRole("button", { name: "Approve" }).click();
  await ada.page.getByText("Nothing to decide").waitFor();
  await ada.page.getByRole("heading", { name: "Remembered approvals" }).waitFor();
  await ada.page.goto(`${here.stage.url}/threads/${thread}`);
  await ada.answers.filter({ hasText: "200 euros are on their way." }).waitFor();
  await ada.hear("refund 200");
  expect(await ada.question.count()).toBe(0);
  await ada.page.goto(`${here.stage.url}/inbox`);
  await ada.page.getByRole("button", { name: "Revoke" }).click();
  await ada.page.getByRole("heading", { name: "Remembered approvals" }).waitFor({ state: "detached" });
});

test("a question that does not say what it is about shows the call, in place and in the inbox, without asking for it", async () => {
  const ada = await here.visit("/?agent=approval");
  await ada.say("write a mail");
  await ada.question.waitFor();
  expect(await ada.question.innerText()).toContain("send_email");
  expect(await ada.page.getByRole("button", { name: "1 request waiting" }).count()).toBe(0);
  await ada.page.route(/\/v1\/threads\/[^/]+\/messages/, (route) => route.abort());
  await ada.page.getByRole("link", { name: "Inbox 1 waiting" }).click();
  await ada.question.locator("dl").waitFor();
  expect(await ada.question.getByRole("button", { name: "Approve" }).isEnabled()).toBe(true);
  await ada.question.getByRole("button", { name: "Reject" }).click();
  await ada.question.getByRole("button", { name: "Reject" }).click();
  await ada.page.getByText("Nothing to decide").waitFor();
});

test("a form is filled in where it is asked, and wrong answers are told", async () => {
  const ada = await here.visit("/?agent=form");
  await ada.say("book a table");
  await ada.question.waitFor();
  await ada.question.getByRole("button", { name: "Answer" }).click();
  await ada.question.getByText("Required", { exact: true }).first().waitFor();
});

test("a message instead of an answer withdraws the question", async () => {
  const ada = await here.visit("/?agent=refunds");
  await ada.say("refund 200");
  await ada.question.waitFor();
  await ada.page.getByText("Sending a message cancels this request.").waitFor();
  await ada.say("refund 20");
  await ada.answers.filter({ hasText: "20 euros are on their way." }).last().waitFor();
  expect(await ada.question.count()).toBe(0);
});

test("a draft is changed, with its changes shown, before anybody reads it", async () => {
  const ada = await here.visit("/?agent=hello");
  await ada.hear("first");
  await ada.page.locator(".bar").getByRole("button", { name: /^Options for/ }).click();
  const changed = ada.page.waitForResponse((response) => response.request().method() === "PATCH");
  await ada.page.getByRole("menuitem", { name: /Review answers/ }).click();
  expect((await changed).ok()).toBe(true);
  await ada.say("second");
  await ada.question.waitFor();
  expect(await ada.answers.count()).toBe(1);
  await ada.question.getByRole("button", { name: "Edit" }).click();
  await ada.question.getByLabel("Text of the answer").fill("You said: something nice");
  expect(await ada.question.locator("ins").first().innerText()).toContain("something");
  await ada.question.getByRole("button", { name: "Publish edited" }).click();
  await ada.answers.filter({ hasText: "You said: something nice" }).waitFor();
});
