/**
 * Time travel: the view as of any event.
 *
 * Every so many events the view is kept, so that any moment is a short fold away: a scrubber over ten thousand
 * events folds a few dozen. What is kept is made when it is first needed; a log that nobody looks at costs nothing.
 */
import type { Entry } from "./entry.js";
import { EMPTY, fold, type Problem, type View } from "./fold/index.js";

/** How many events lie between two views that are kept. */
const STRIDE = 64;

export class History {
  readonly #entries: readonly Entry[];
  /** `kept[n]` is the view before entry `n * STRIDE`. */
  readonly #kept: View[] = [EMPTY];
  readonly #problems: Problem[] = [];
  /** The view asked for last: a live reader, or one who plays, asks for the next one. */
  #last: { count: number; view: View } = { count: 0, view: EMPTY };

  /** A history of a log that may still grow at its end. */
  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** The view after the entry with this index; before the first one for -1. */
  after(index: number): View {
    const count = Math.max(0, Math.min(index + 1, this.#entries.length));
    if (this.#last.count === count) return this.#last.view;
    const { from, view } = this.#nearest(count);
    const result = fold(view, this.#entries.slice(from, count)).view;
    this.#last = { count, view: result };
    return result;
  }

  /** What could not be applied so far, to the end of the log. */
  problems(): readonly Problem[] {
    this.#keepTo(this.#entries.length);
    const rest = this.#entries.slice((this.#kept.length - 1) * STRIDE);
    return [...this.#problems, ...fold(this.#kept.at(-1) ?? EMPTY, rest).problems];
  }

  /** The latest view that is known and not behind the wanted one. */
  #nearest(count: number): { from: number; view: View } {
    const at = Math.floor(count / STRIDE);
    this.#keepTo(count);
    const kept = { from: at * STRIDE, view: this.#kept[at] ?? EMPTY };
    const { count: from, view } = this.#last;
    return from <= count && from > kept.from ? { from, view } : kept;
  }

  #keepTo(count: number): void {
    while (this.#kept.length * STRIDE <= count) {
      const from = (this.#kept.length - 1) * STRIDE;
      const { view, problems } = fold(this.#kept.at(-1) ?? EMPTY, this.#entries.slice(from, from + STRIDE));
      this.#kept.push(view);
      this.#problems.push(...problems);
    }
  }
}
