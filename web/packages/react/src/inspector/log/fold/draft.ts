/**
 * A view under construction. Many events are folded into one draft, so that messages and state are copied once
 * for all of them and not once for each.
 */
import { isObject, type Json, type JsonObject, objectsOf, textOf } from "../json.js";
import type { WireEvent } from "../entry.js";
import type { Message, Problem, RunEnd, View } from "./view.js";

export class Draft {
  readonly messages: Message[];
  state: Json;
  end: RunEnd | null;
  /** Whether the state is this draft's own and may be written to. */
  ownsState = false;
  readonly problems: Problem[] = [];
  /** Where messages are; `null` when that has to be found out again. */
  #places: Map<string, number> | null = null;
  /** Which message carries a call. */
  #carriers: Map<string, string> | null = null;
  chunks: Record<string, string>;

  constructor(view: View) {
    this.messages = [...view.messages];
    this.state = view.state;
    this.end = view.end;
    this.chunks = { ...view.chunks };
  }

  view(): View {
    return { messages: this.messages, state: this.state, end: this.end, chunks: { ...this.chunks } };
  }

  find(id: string | undefined): Message | undefined {
    const place = id === undefined ? undefined : this.places().get(id);
    return place === undefined ? undefined : this.messages[place];
  }

  push(message: Message): void {
    this.places().set(message.id, this.messages.length);
    this.messages.push(message);
    this.#noteCalls(message);
  }

  /** Puts a message where the one with its id is. */
  replace(message: Message): void {
    const place = this.places().get(message.id);
    if (place === undefined) return;
    this.messages[place] = message;
    this.#noteCalls(message);
  }

  insertAt(place: number, message: Message): void {
    this.messages.splice(place, 0, message);
    this.#places = null;
  }

  setAll(messages: readonly Message[]): void {
    this.messages.splice(0, this.messages.length, ...messages);
    this.forget();
  }

  /** Has places and carriers found out again. */
  forget(): void {
    this.#places = null;
    this.#carriers = null;
  }

  places(): Map<string, number> {
    this.#places ??= new Map(this.messages.map((message, place) => [message.id, place]));
    return this.#places;
  }

  /** The message that carries a call. */
  carrierOf(callId: string | undefined): Message | undefined {
    if (this.#carriers === null) {
      this.#carriers = new Map();
      for (const message of this.messages) this.#noteCalls(message);
    }
    return callId === undefined ? undefined : this.find(this.#carriers.get(callId));
  }

  #noteCalls(message: Message): void {
    if (this.#carriers === null) return;
    for (const call of objectsOf(message, "toolCalls")) {
      const id = textOf(call, "id");
      if (id !== undefined) this.#carriers.set(id, message.id);
    }
  }
}

/** The item that a chunk belongs to: the one it names, or the one that its speaker was at. */
export function chunked(draft: Draft, event: WireEvent, kind: string, member: string): string | undefined {
  const lane = `${kind} ${textOf(event, "subagentRunId") ?? ""}`;
  const id = textOf(event, member) ?? draft.chunks[lane];
  if (id !== undefined) draft.chunks[lane] = id;
  return id;
}

/** An object with the metadata of an event merged into its own. */
export function described<T extends JsonObject>(target: T, event: WireEvent): T {
  const { metadata } = event;
  if (!isObject(metadata)) return target;
  const held = isObject(target.metadata) ? target.metadata : {};
  return { ...target, metadata: { ...held, ...metadata } };
}

/** The members that a message takes over from its first event, where the event has them. */
export function taken(event: WireEvent, ...names: string[]): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const value = event[name];
    if (value !== undefined) members[name] = value;
  }
  return members;
}
