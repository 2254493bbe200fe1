/** How long to wait before the next attempt to connect. */

export interface BackoffOptions {
  /** The first wait, in milliseconds. Default: 250. */
  firstDelay?: number;
  /** The longest wait, in milliseconds. Default: 10000. */
  maxDelay?: number;
  /** After so many failures in a row the client gives up. Default: never. */
  maxAttempts?: number;
}

/**
 * The wait before attempt `attempt` (1 is the first): each twice as long as the one before, and a part of it by chance,
 * so that clients of a server that went away do not all come back at once.
 */
export function delayOf(attempt: number, options: BackoffOptions = {}, random: () => number = Math.random): number {
  const { firstDelay = 250, maxDelay = 10_000 } = options;
  const full = Math.min(maxDelay, firstDelay * 2 ** (attempt - 1));
  return full / 2 + (full / 2) * random();
}
