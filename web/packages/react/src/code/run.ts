/**
 * Runs code in the sandbox: what it prints comes as it is printed, and it ends by itself, by a time limit, by printing too
 * much, or because somebody stops it. Afterwards nothing of it is left.
 */
import sandbox from "./sandbox.html?url&no-inline";
import type { Runnable } from "./asks.js";
import { pythonFiles } from "./python.js";

export interface Output {
  /** What was printed, what went wrong, or what was told to code that asked. */
  stream: "out" | "err" | "in";
  text: string;
}

/** How it ended. */
export type Ending = "done" | "failed" | "stopped" | "timeout" | "flood" | "crashed";

export interface Run {
  ended: Promise<Ending>;
  stop: () => void;
}

export interface RunOptions {
  onOutput: (output: Output) => void;
  /** It has begun to run; until then it was being fetched and started. */
  onStart?: () => void;
  /** What a page says, as text. */
  onPage?: (text: string) => void;
  /** Where a page is shown. Code that prints needs no place. */
  place?: HTMLElement;
  /** What it is told when it asks, a line each time. */
  input?: string;
  /** How long it may run once it has begun. */
  timeLimit?: number;
}

/** So long code runs at most. */
export const TIME_LIMIT = 10_000;

/** So long it may take to begin: Python is fetched first. */
const START_LIMIT = 60_000;

/** So many characters are printed at most. */
const OUTPUT_LIMIT = 100_000;

export function run(language: Runnable, code: string, options: RunOptions): Run {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "Sandbox";
  frame.src = sandbox;
  let end: (ending: Ending) => void = () => undefined;
  const ended = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  const talk = new Talk(frame, language, code, options, end);
  window.addEventListener("message", talk.listen);
  (options.place ?? document.body).append(frame);
  const isShown = options.place !== undefined;
  if (!isShown) frame.style.display = "none";
  void ended.then((ending) => {
    window.removeEventListener("message", talk.listen);
    talk.rest();
    // A page that is done stays to be looked at.
    if (!isShown || (ending !== "done" && ending !== "failed")) frame.remove();
  });
  return { ended, stop: () => end("stopped") };
}

/** What is said between the page and one frame. */
class Talk {
  private timer: ReturnType<typeof setTimeout>;
  private printed = 0;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly language: Runnable,
    private readonly code: string,
    private readonly options: RunOptions,
    private readonly end: (ending: Ending) => void,
  ) {
    this.timer = setTimeout(() => end("crashed"), START_LIMIT);
  }

  readonly listen = (event: MessageEvent<unknown>): void => {
    if (event.source !== this.frame.contentWindow) return;
    const message = event.data as { type?: unknown; stream?: unknown; text?: unknown };
    switch (message.type) {
      case "ready":
        return void this.begin();
      case "started":
        return this.started();
      case "output":
        return this.print(message.stream === "err" || message.stream === "in" ? message.stream : "out", String(message.text));
      case "page":
        return this.options.onPage?.(String(message.text));
      case "ended":
        return this.end("done");
      case "failed":
        return this.end("failed");
    }
  };

  rest(): void {
    clearTimeout(this.timer);
  }

  private async begin(): Promise<void> {
    try {
      const message = await workFor(this.language, this.code, linesOf(this.options.input ?? ""));
      this.frame.contentWindow?.postMessage(message, "*");
    } catch (error) {
      this.print("err", `${error instanceof Error ? error.message : String(error)}\n`);
      this.end("crashed");
    }
  }

  private started(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end("timeout"), this.options.timeLimit ?? TIME_LIMIT);
    this.options.onStart?.();
  }

  private print(stream: Output["stream"], text: string): void {
    this.printed += text.length;
    if (this.printed > OUTPUT_LIMIT) return this.end("flood");
    this.options.onOutput({ stream, text });
  }
}

function linesOf(input: string): string[] {
  return input === "" ? [] : input.replace(/\n$/, "").split("\n");
}

async function workFor(language: Runnable, code: string, input: string[]): Promise<Record<string, unknown>> {
  switch (language) {
    case "javascript":
      return { kind: "javascript", code, input };
    case "python":
      return { kind: "python", code, input, python: await pythonFiles() };
    case "html":
      return { kind: "page", code };
    case "css":
      return { kind: "page", code: styledPage(code) };
  }
}

/** Something for a style to be seen on. */
export function styledPage(css: string): string {
  const body = `<main class="container"><h1 id="title">Heading</h1><p class="text">A paragraph with a <a href="#">link</a> and <strong>strong</strong> words.</p><ul class="list"><li>One</li><li>Two</li><li>Three</li></ul><div class="box">A box</div><button class="button">Button</button></main>`;
  return `<!doctype html><style>${css.replaceAll("</style", "<\\/style")}</style>${body}`;
}
