/** Gathers what comes in quickly and hands it on when the page has time. */

/** How long events are gathered: often enough to look live, seldom enough not to be felt. */
const GATHER = 80;
/** A page that is never idle gets them all the same. */
const PATIENCE = 250;

export class Batch<Item> {
  #items: Item[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isHeld = false;
  readonly #flush: (items: Item[]) => void;

  constructor(flush: (items: Item[]) => void) {
    this.#flush = flush;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (!this.#isHeld) this.#timer ??= setTimeout(() => whenIdle(() => this.#deliver()), GATHER);
  }

  /** How many are waiting. */
  get size(): number {
    return this.#items.length;
  }

  /** Keeps everything back until it is released. */
  hold(): void {
    this.#isHeld = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  release(): void {
    this.#isHeld = false;
    this.#deliver();
  }

  stop(): void {
    this.hold();
    this.#items = [];
  }

  #deliver(): void {
    this.#timer = undefined;
    if (this.#isHeld || this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#flush(items);
  }
}

function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: PATIENCE });
  else work();
}
