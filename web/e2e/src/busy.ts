/**
 * What the main thread of a page is busy with, task by task, as the browser traces it. Each task says how long it took by
 * the clock and how long by its own processor time: others that want the processor, too, make the first longer, and never
 * the second.
 */
import type { Page } from "playwright-core";

export interface Task {
  /** Milliseconds by the clock. */
  took: number;
  /** Milliseconds that the thread itself was at work. */
  worked: number;
  /** Names of what the page marked during the task, with `performance.mark`. */
  marks: string[];
}

interface Traced {
  name: string;
  cat: string;
  ph: string;
  ts: number;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The category of what a page marks. */
const MARKS = "blink.user_timing";

/** All tasks of a page while something is done. */
export async function tasksDuring(page: Page, work: () => Promise<void>): Promise<Task[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page is in no browser");
  await browser.startTracing(page, { categories: ["toplevel", MARKS] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: Traced[] };
  return busiest(traceEvents);
}

/** The tasks of the main thread that did most: pages that nobody looks at have one, too. */
function busiest(events: Traced[]): Task[] {
  const mains = new Map<string, Task[]>();
  for (const event of events) if (event.args?.name === "CrRendererMain") mains.set(threadOf(event), []);
  const marks = events.filter(({ cat }) => cat.split(",").includes(MARKS));
  for (const event of events) {
    const { name, ph, ts, dur, tdur } = event;
    if (ph !== "X" || dur === undefined || tdur === undefined || !name.endsWith("::RunTask")) continue;
    const inside = marks.filter((mark) => threadOf(mark) === threadOf(event) && mark.ts >= ts && mark.ts <= ts + dur);
    mains.get(threadOf(event))?.push({ took: dur / 1000, worked: tdur / 1000, marks: inside.map((mark) => mark.name) });
  }
  const sum = (tasks: Task[]) => tasks.reduce((all, { worked }) => all + worked, 0);
  return [...mains.values()].toSorted((one, other) => sum(other) - sum(one))[0] ?? [];
}

function threadOf({ pid, tid }: Traced): string {
  return `${pid} ${tid}`;
}
