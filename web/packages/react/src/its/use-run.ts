/** One run of a learner's code at a time: what it has printed, and how far it is. */
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Runnable } from "../code/asks.js";
import type { Ending, Output, Run } from "../code/run.js";

export type RunState = "idle" | "starting" | "running" | Ending;

export interface Running {
  state: RunState;
  outputs: Output[];
  /** What it came to: what was printed, or what a page says. Known once it has ended. */
  result: string | undefined;
  /** Runs code. `onEnd` gets everything that it printed or showed; it is not called for a run that gave way to another. */
  start: (code: string, input?: string, onEnd?: (ending: Ending, output: string) => void) => void;
  stop: () => void;
}

export function useRun(language: Runnable | undefined, place: RefObject<HTMLElement | null>): Running {
  const [state, setState] = useState<RunState>("idle");
  const [outputs, setOutputs] = useState<Output[]>([]);
  const [result, setResult] = useState<string>();
  const current = useRef<Run>(undefined);
  useEffect(() => () => current.current?.stop(), []);

  const begin = async (language: Runnable, code: string, input: string, onEnd?: (ending: Ending, output: string) => void) => {
    current.current?.stop();
    setState("starting");
    setOutputs([]);
    setResult(undefined);
    place.current?.replaceChildren();
    const { run } = await import("../code/run.js");
    const lines = new Lines(setOutputs);
    const isPage = language === "html" || language === "css";
    let page = "";
    const mine = run(language, code, {
      input,
      onOutput: (output) => lines.add(output),
      onStart: () => setState("running"),
      onPage: (text) => {
        page = text;
      },
      ...(isPage && place.current !== null && { place: place.current }),
    });
    current.current = mine;
    const ending = await mine.ended;
    if (current.current !== mine) return;
    lines.flush();
    setState(ending);
    if (ending === "done") setResult(isPage ? page : lines.printed());
    onEnd?.(ending, isPage && page !== "" ? `${lines.everything()}${page}` : lines.everything());
  };
  return {
    state,
    outputs,
    result,
    start: (code, input = "", onEnd) => language !== undefined && void begin(language, code, input, onEnd),
    stop: () => current.current?.stop(),
  };
}

/** What is printed, put on the page once per frame and not once per line. */
class Lines {
  private readonly all: Output[] = [];
  private frame: number | undefined;

  constructor(private readonly show: (outputs: Output[]) => void) {}

  add(output: Output): void {
    const last = this.all.at(-1);
    if (last?.stream === output.stream) this.all[this.all.length - 1] = { ...last, text: last.text + output.text };
    else this.all.push(output);
    this.frame ??= requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.show([...this.all]);
  }

  /** What was printed and what went wrong, as it is on the page. */
  everything(): string {
    return this.all.map((output) => output.text).join("");
  }

  printed(): string {
    return this.all.filter((output) => output.stream === "out").map((output) => output.text).join("");
  }
}
