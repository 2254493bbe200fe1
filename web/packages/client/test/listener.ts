/** Somebody who listens to any of the clients, and waits for what comes. */

interface Source<E> {
  onEvent(callback: (event: E) => void): () => void;
  onStatus(callback: (status: any) => void): () => void;
}

export class Listener<E> {
  readonly events: E[] = [];
  readonly statuses: { state: string }[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(source: Source<E>) {
    source.onEvent((event) => {
      this.events.push(event);
      this.wake();
    });
    source.onStatus((status) => {
      this.statuses.push(status);
      this.wake();
    });
  }

  /** The events from `from` on, up to the first that is wanted. */
  async until(isWanted: (event: E) => boolean, from = 0): Promise<E[]> {
    const at = await this.found(() => this.events.findIndex((event, at) => at >= from && isWanted(event)));
    return this.events.slice(from, at + 1);
  }

  /** The status that was told so often. */
  async untilStatus(state: string, times = 1): Promise<unknown> {
    const all = () => this.statuses.filter((status) => status.state === state);
    await this.found(() => (all().length >= times ? 0 : -1));
    return all()[times - 1];
  }

  private found(find: () => number): Promise<number> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`it did not come: ${JSON.stringify([this.events, this.statuses], null, 1)}`));
      }, 15_000);
      const look = () => {
        const at = find();
        if (at < 0) return;
        clearTimeout(late);
        this.waiting.delete(look);
        resolve(at);
      };
      this.waiting.add(look);
      look();
    });
  }

  private wake(): void {
    for (const look of this.waiting) look();
  }
}
