/** Code that learners run: what it prints, how it ends, and what it cannot reach. */
import { expect, test } from "vitest";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

async function desk(language: string, initial_code: string, config: object = {}): Promise<Exhibit> {
  const exhibit = await Exhibit.at(here, "interactive-code-editor");
  await exhibit.give({ editor_id: "e", language, initial_code, config });
  await exhibit.stage.getByText({ python: "Python", javascript: "JavaScript", html: "HTML", css: "CSS", java: "Java" }[language] ?? "", { exact: true }).waitFor();
  return exhibit;
}

/** Runs what is in the editor and waits until it has ended. */
async function output(exhibit: Exhibit): Promise<string> {
  await exhibit.button("Run").click();
  const place = exhibit.stage.locator(".its-output:not([data-state=idle], [data-state=starting], [data-state=running])");
  await place.waitFor({ timeout: 60_000 });
  return place.innerText();
}

test("Python runs in the browser, and its output is compared with what is expected", async () => {
  const exhibit = await desk("python", "for n in range(3):\n    print(n * n)", { expected_output: "0\n1\n4" });
  expect(await output(exhibit)).toContain("The output matches.");
});

test("an error in Python shows the learner's line", async () => {
  const said = await output(await desk("python", 'print("one")\nprint(1 / 0)'));
  expect(said).toContain("one");
  expect(said).toMatch(/File "main.py", line 2[\s\S]*ZeroDivisionError: division by zero/);
});

test("Python reaches neither the page nor the network", async () => {
  const code = ["import js", 'print(hasattr(js, "fetch"), hasattr(js, "document"))', "import urllib.request", "try:", '    urllib.request.urlopen("http://127.0.0.1/")', "except Exception as error:", "    print(type(error).__name__)"].join("\n");
  expect(await output(await desk("python", code))).toMatch(/False False\s+\w+/);
});

test("JavaScript prints values, waits for timers, and says where it failed", async () => {
  const said = await output(await desk("javascript", "console.log([1, { a: 'b' }]);\nsetTimeout(() => console.log('later'), 50);\nawait 0;"));
  expect(said).toMatch(/\[ 1, \{ a: 'b' \} \]\s+later/);
  expect(await output(await desk("javascript", "let x = 1;\nnope();"))).toContain("ReferenceError: nope is not defined (line 2)");
});

test("JavaScript has no origin, no storage and no network", async () => {
  const code = "console.log(self.origin); try { await fetch('/v1/agents'); console.log('out'); } catch (error) { console.log('in', error.name); } console.log(typeof localStorage, typeof document);";
  expect(await output(await desk("javascript", code))).toMatch(/null\s+in TypeError\s+undefined undefined/);
});

test("what does not end is stopped: by hand, by the clock, by what it prints", async () => {
  const endless = await desk("javascript", "while (true) {}");
  await endless.button("Run").click();
  await endless.stage.getByText("Running…").waitFor();
  await endless.button("Stop").click();
  await endless.stage.getByText("Stopped.").waitFor();
  expect(await output(endless)).toContain("Stopped after 10 seconds.");
  expect(await output(await desk("javascript", "while (true) console.log('x'.repeat(1000));"))).toContain("too much output");
});

test("HTML and CSS are shown in a frame of nobody's origin", async () => {
  const page = await desk("html", "<h1>Hello</h1><script>document.querySelector('h1').textContent += ' there'; console.log(origin)</script>", { expected_output: "Hello there" });
  expect(await output(page)).toMatch(/null[\s\S]*The output matches\./);
  expect(await page.stage.frameLocator("iframe").locator("h1").innerText()).toBe("Hello there");
  const style = await desk("css", "h1 { color: rgb(1, 2, 3) }");
  await output(style);
  expect(await style.stage.frameLocator("iframe").locator("h1").evaluate((heading) => getComputedStyle(heading).color)).toBe("rgb(1, 2, 3)");
});

test("what is run is sent with what it printed, and the page stays as it is", async () => {
  const exhibit = await desk("html", "<h1>Hello</h1>");
  await output(exhibit);
  expect(await exhibit.answer()).toEqual({ editor_id: "e", current_code: "<h1>Hello</h1>", action: "run_code", output: "Hello" });
  expect(await exhibit.stage.frameLocator("iframe").locator("h1").innerText()).toBe("Hello");
  expect(await exhibit.button("Submit").count()).toBe(0);
});

test("Java is run or submitted elsewhere, and the editor says so", async () => {
  const exhibit = await desk("java", "public class A {}");
  expect(await exhibit.stage.innerText()).toContain("Java does not run in the browser.");
  await exhibit.button("Run").click();
  expect(await exhibit.answer()).toEqual({ editor_id: "e", current_code: "public class A {}", action: "run_code" });
  const other = await desk("java", "public class A {}");
  await other.button("Submit").click();
  expect(await other.answer()).toEqual({ editor_id: "e", current_code: "public class A {}", action: "submit_code" });
});

test("code that asks is told what was written for it, line by line", async () => {
  const exhibit = await desk("python", 'name = input("Name? ")\nprint("Hello,", name)\nage = int(input())\nprint(age + 1)\ninput()');
  await exhibit.stage.getByRole("textbox", { name: /^Input/ }).fill("Ada\n36");
  expect(await output(exhibit)).toMatch(/Name\? Ada\s+Hello, Ada\s+36\s+37[\s\S]*EOFError/);
  const script = await desk("javascript", "console.log(prompt('Name?') + '!', prompt());");
  await script.stage.getByRole("textbox", { name: /^Input/ }).fill("Ada");
  expect(await output(script)).toMatch(/Name\? Ada\s+Ada! null/);
});
