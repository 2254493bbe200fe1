/** A conversation as of an event: what the scrubber shows. Views are never changed, only followed by others. */
import type { Json, JsonObject } from "../json.js";

export interface Message extends JsonObject {
  id: string;
  role: string;
}

export interface RunEnd {
  type: "success" | "interrupt" | "cancelled" | "error";
  /** What a failed run said. */
  message?: string;
}

export interface View {
  messages: readonly Message[];
  state: Json;
  /** How the last run ended; `null` while one is open. */
  end: RunEnd | null;
  /** The items that chunks without an id continue, by kind and by who speaks. */
  chunks: Readonly<Record<string, string>>;
}

/** What could not be applied, in the words of the verifier. */
export interface Problem {
  index: number;
  code: "patch_failed";
  message: string;
}

/** Before the first event. */
export const EMPTY: View = { messages: [], state: {}, end: null, chunks: {} };
