/**
 * A stream that does not end when the connection does: it comes back by itself and goes on exactly behind the last frame
 * that was taken. Whoever reads gets every frame once.
 */
import { type BackoffOptions, delayOf } from "../backoff.js";
import { ApiError } from "./api.js";
import { type Frame, framesOf } from "./frames.js";

export type TailStatus =
  | { state: "connecting"; attempt: number }
  | { state: "live" }
  /** The connection is lost; the next attempt is at `at`, in milliseconds since 1970. */
  | { state: "waiting"; attempt: number; at: number }
  | { state: "closed"; error?: Error };

export interface TailOptions {
  /** Opens the stream behind a cursor, or where it begins. */
  open: (after: string | undefined, signal: AbortSignal) => Promise<Response>;
  /** Where to go on from. */
  after?: string;
  reconnect?: BackoffOptions;
  /** A stream that says nothing for so long, not even a comment, is given up. Default: 45000. */
  patience?: number;
  onStatus?: (status: TailStatus) => void;
  /** False for streams without cursors, whose frames are told as they come. Default: true. */
  holdsBack?: boolean;
}

export class Tail {
  /** The place behind the last frame that was taken. */
  cursor: string | undefined;
  private readonly closing = new AbortController();
  private nudge: () => void = () => {};

  constructor(private readonly options: TailOptions) {
    this.cursor = options.after;
  }

  /** Ends it; readers come to an end. */
  close(): void {
    this.closing.abort();
    this.nudge();
  }

  /** Tries again now, where it waits to do so. */
  wake(): void {
    this.nudge();
  }

  async *frames(): AsyncGenerator<Frame> {
    let attempt = 1;
    while (!this.closing.signal.aborted) {
      this.report({ state: "connecting", attempt });
      try {
        for await (const frame of this.connection()) {
          attempt = 1;
          yield frame;
        }
      } catch (error) {
        if (!this.closing.signal.aborted && isFinal(error)) throw this.ended(error);
      }
      if (this.closing.signal.aborted) break;
      if (attempt > (this.options.reconnect?.maxAttempts ?? Number.POSITIVE_INFINITY)) {
        throw this.ended(new ApiError(0, "unreachable", "the server does not answer"));
      }
      await this.pause(attempt);
      attempt += 1;
    }
    this.report({ state: "closed" });
  }

  /** The frames of one connection. What has no cursor yet is held back: if it breaks there, it all comes again. */
  private async *connection(): AsyncGenerator<Frame> {
    const connection = new AbortController();
    const abort = () => connection.abort();
    this.closing.signal.addEventListener("abort", abort);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(abort, this.options.patience ?? 45_000);
    };
    try {
      alive();
      const response = await this.options.open(this.cursor, connection.signal);
      this.report({ state: "live" });
      let held: Frame[] = [];
      for await (const frame of framesOf(bodyOf(response), alive)) {
        held.push(frame);
        if (frame.cursor === undefined && this.options.holdsBack !== false && !isLastWord(frame)) continue;
        const ready = held;
        held = [];
        for (const one of ready) {
          this.cursor = one.cursor ?? this.cursor;
          yield one;
        }
      }
    } finally {
      clearTimeout(timer);
      this.closing.signal.removeEventListener("abort", abort);
      connection.abort();
    }
  }

  private async pause(attempt: number): Promise<void> {
    const delay = delayOf(attempt, this.options.reconnect);
    this.report({ state: "waiting", attempt, at: Date.now() + delay });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay);
      this.nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private ended(error: unknown): Error {
    const reason = error instanceof Error ? error : new Error(String(error));
    this.report({ state: "closed", error: reason });
    return reason;
  }

  private report(status: TailStatus): void {
    this.options.onStatus?.(status);
  }
}

/** An error that is not in the log, because the log cannot be written or the run did not begin: nothing follows it. */
function isLastWord(frame: Frame): boolean {
  return (JSON.parse(frame.data) as { type?: unknown }).type === "RUN_ERROR";
}

/** What will not be better the next time: the server has said no. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429;
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null) throw new ApiError(0, "no_body", "the answer has no body");
  return response.body;
}
