/** What the inspector's tests share: threads to look at, and where things are on its page. */
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Scene } from "../../src/scene.js";
import type { Stage } from "../../src/stage.js";
import type { Visitor } from "../../src/visitor.js";

let next = 0;

/** A name that nobody has used. */
export function fresh(name: string): string {
  next += 1;
  return `${name}-${next}`;
}

/** Begins a run; the answer comes as soon as it is on record. */
export async function begin(stage: Stage, agent: string, threadId: string, runId: string, text: string): Promise<Response> {
  const response = await fetch(`${stage.url}/v1/agents/${agent}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ threadId, runId, messages: [{ id: `${runId}-u`, role: "user", content: text }] }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** Runs an agent to its end. */
export async function run(stage: Stage, agent: string, threadId: string, runId: string, text: string): Promise<void> {
  await (await begin(stage, agent, threadId, runId, text)).text();
}

/** A thread on which the tour was given once. */
export async function toured(stage: Stage, text = "Show me Lisbon"): Promise<{ threadId: string; runId: string }> {
  const threadId = fresh("tour");
  const runId = fresh("run");
  await run(stage, "tour", threadId, runId, text);
  return { threadId, runId };
}

/** The inspector of a thread, in a page of its own, live. */
export async function inspect(here: Scene, threadId: string, options: BrowserContextOptions = {}): Promise<Desk> {
  const desk = new Desk(await here.visit(`/inspector/${threadId}`, options));
  await desk.page.getByText("Live", { exact: true }).waitFor();
  return desk;
}

export class Desk {
  readonly page: Page;

  constructor(readonly visitor: Visitor, page = visitor.page) {
    this.page = page;
  }

  get list(): Locator {
    return this.page.getByRole("listbox", { name: "Events" });
  }

  get rows(): Locator {
    return this.list.getByRole("option");
  }

  get selected(): Locator {
    return this.list.getByRole("option", { selected: true });
  }

  get moment(): Locator {
    return this.page.getByRole("slider", { name: "Moment" });
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text }).first();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
  }

  /** The tab with this name; counts may follow it. */
  tab(name: string): Locator {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}`) });
  }

  /** Chooses from one of our selects. */
  async choose(name: string, option: string): Promise<void> {
    // Its button is named by what is chosen and by what it is for.
    await this.page.getByRole("button", { name: new RegExp(`${name}$`) }).click();
    await this.page.getByRole("option", { name: option, exact: true }).click();
  }

  async open(files: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const chooser = this.page.waitForEvent("filechooser");
    await this.button("Open recording").click();
    await (await chooser).setFiles(files);
  }
}
