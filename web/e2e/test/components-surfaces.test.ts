/** What agents draw: the form of the 0.8 contract, a booking in 0.9, and the views of `a2ui.v1`, through the real server. */
import { expect, test } from "vitest";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

test("a form is filled in, sent and thanked for; what is typed stays meanwhile, and all is there after a reload", async () => {
  const ada = await here.visit("/?agent=surfaces");
  const { page } = ada;
  await ada.hear("a form, please");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Alice");
  await ada.hear("update");
  await page.getByText("Still here.").waitFor();
  expect(await name.inputValue()).toBe("Alice");
  await page.locator(".fs-a2ui").getByRole("button", { name: "Submit" }).click();
  await ada.answers.filter({ hasText: "I have your name: Alice." }).waitFor();
  await page.getByText("Thank you, Alice.").waitFor();
  expect(await page.locator(".fs-a2ui-acted").innerText()).toContain("“submit” on my-form");
  await page.reload();
  await page.getByText("Thank you, Alice.").waitFor();
  expect(await name.inputValue()).toBe("Alice");
});

test("a table is booked by keyboard alone, once it is said where", async () => {
  const ada = await here.visit("/?agent=surfaces");
  const { page } = ada;
  await ada.hear("a table");
  const surface = page.locator(".fs-a2ui");
  expect(await surface.getByRole("button", { name: "Book" }).isDisabled()).toBe(true);
  await surface.getByRole("slider", { name: "Guests" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await surface.getByText(/Booked: a table for 3/).waitFor();
});

test("what could not be drawn is said", async () => {
  const ada = await here.visit("/?agent=surfaces");
  await ada.hear("something broken");
  expect(await ada.page.locator(".fs-a2ui").innerText()).toContain("Cannot draw this screen");
});

// The checklist of the onboarding contract.
test("a new member is asked once, saves a profile, and is welcomed back", async () => {
  const ada = await here.visit("/?agent=coach");
  const { page } = ada;
  await ada.hear("HELLO");
  const form = page.getByRole("region", { name: "New member onboarding" });
  await form.getByRole("textbox", { name: /First name/ }).fill("Ada");
  await form.getByRole("textbox", { name: "Goals" }).fill("Run");
  await page.reload();
  await form.getByRole("textbox", { name: /First name/ }).fill("Ada");
  await form.getByRole("textbox", { name: "Goals" }).fill("Run");
  await form.getByRole("button", { name: "Save profile" }).click();
  await page.getByText("Your profile is saved, Ada.").waitFor();
  // What was sent is for the agent: of what was said, there is only what somebody wrote, after a reload, too.
  const said = page.getByTestId("said");
  expect(await said.allInnerTexts()).toEqual(["HELLO"]);
  await page.reload();
  await page.getByText("Your profile is saved, Ada.").waitFor();
  expect(await said.allInnerTexts()).toEqual(["HELLO"]);
  const thread = await ada.thread();
  const { messages } = await here.stage.json<{ messages: { toolCalls?: { function: { name: string; arguments: string } }[] }[] }>(`/v1/threads/${thread}/messages`);
  const saves = messages.flatMap(({ toolCalls }) => toolCalls ?? []).filter((call) => call.function.name === "profile_save");
  expect(saves.map((call) => JSON.parse(call.function.arguments) as unknown)).toMatchObject([{ profile: { firstName: "Ada", goals: "Run" } }]);
  await ada.hear("HELLO");
  await ada.answers.filter({ hasText: "Welcome back, Ada." }).waitFor();
  expect(await form.count()).toBe(0);
});

test("white space in the text of a view is seen as it was written", async () => {
  const exhibit = await Exhibit.at(here, "view-saved");
  await exhibit.give({ kind: "a2ui.v1", viewId: "v", root: { type: "text", text: "One\n   two   three\n\nfour" } });
  const text = exhibit.stage.locator("p", { hasText: "three" });
  await text.waitFor();
  expect(await text.innerText()).toBe("One\n   two   three\n\nfour");
});

test("surfaces and views are played with in the gallery", async () => {
  const booking = await Exhibit.at(here, "surface-table");
  await booking.stage.getByRole("radio", { name: "On the terrace" }).check();
  await booking.button("Book").click();
  expect(await booking.answer()).toMatchObject({ a2uiAction: { userAction: { name: "book", surfaceId: "table", sourceComponentId: "book", context: { guests: 2, where: ["terrace"] } } } });
  const view = await Exhibit.at(here, "view-onboarding");
  await view.stage.getByRole("textbox", { name: /First name/ }).fill("Ada");
  await view.stage.getByRole("textbox", { name: "Age" }).fill("36");
  await view.button("Save profile").click();
  expect(await view.answer()).toEqual({
    kind: "a2ui.action.v1",
    viewId: "profile_onboarding_v1",
    action: { type: "form.submit", formId: "profile_onboarding", values: { firstName: "Ada", goals: "Run ten kilometres", age: 36 } },
  });
});

test("tabs and what lies over the page are used by keyboard", async () => {
  const exhibit = await Exhibit.at(here, "surface-catalog");
  await exhibit.stage.getByRole("tab", { name: "List" }).focus();
  await exhibit.press("ArrowRight");
  await exhibit.stage.getByRole("link", { name: "A picture that is elsewhere" }).waitFor();
  await exhibit.button("More").focus();
  await exhibit.press("Enter");
  const dialog = exhibit.page.getByRole("dialog");
  await dialog.waitFor();
  await exhibit.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("every agent of the server is one click away", async () => {
  const ada = await here.visit("/gallery/agents");
  await ada.page.getByRole("button", { name: "Start conversation: tutor" }).click();
  await ada.page.waitForURL(/\?agent=tutor$/);
  await ada.composer.waitFor();
});
