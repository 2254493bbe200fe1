/** Somebody who listens to a client, and waits for what comes. */
import { type AGUIWebSocketClient, type AgoraEvent, type ConnectionStatus } from "../src/index.js";

export class Audience {
  readonly events: AgoraEvent[] = [];
  readonly statuses: ConnectionStatus[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(readonly client: AGUIWebSocketClient) {
    client.onEvent((event) => {
      this.events.push(event);
      this.wake();
    });
    client.onStatus((status) => {
      this.statuses.push(status);
      this.wake();
    });
  }

  /** The events from `from` on, up to the first that is wanted. */
  async until(isWanted: (event: AgoraEvent) => boolean, from = 0): Promise<AgoraEvent[]> {
    const at = await this.found(() => this.events.findIndex((event, at) => at >= from && isWanted(event)));
    return this.events.slice(from, at + 1);
  }

  async untilEnd(from = 0): Promise<AgoraEvent[]> {
    return this.until(({ type }) => type === "RUN_FINISHED", from);
  }

  async untilStatus(state: ConnectionStatus["state"]): Promise<ConnectionStatus> {
    return this.statuses[await this.found(() => this.statuses.findIndex((status) => status.state === state))]!;
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

/** What was said. */
export function textOf(events: AgoraEvent[]): string {
  return events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : "")).join("");
}
