/** Trying again while the server is away: soon at first, then less often, and at once when there is a sign of it. */
import { ApiError } from "@forestage/client";

const FIRST = 1000;
const LONGEST = 10_000;

/** Whether a request failed because no server could take it, so that the same request may succeed later. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status);
}

export class Retry {
  private delay = FIRST;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly work: () => void) {}

  /** Tries again after a pause, a longer one each time. */
  later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.work, this.delay);
    this.delay = Math.min(LONGEST, this.delay * 2);
  }

  /** Tries again now. */
  now(): void {
    clearTimeout(this.timer);
    this.work();
  }

  /** It went well: the next pause is a short one. */
  reset(): void {
    clearTimeout(this.timer);
    this.delay = FIRST;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
