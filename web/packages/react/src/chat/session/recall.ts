/** What a log says about runs that ended before we were there: who helped, and how long thoughts and calls took. Pure. */
import type { BaseEvent } from "@ag-ui/core";
import { type Noted, noted, nothingNoted } from "./log.js";

export type Recalled = Pick<Noted, "thought" | "calls" | "subagents">;

/** Reads lines of JSON, each an event. What cannot be read, or does not say when it was, tells nothing. */
export function recalled(lines: string): Recalled {
  let all = nothingNoted;
  for (const line of lines.split("\n")) {
    const event = eventOf(line);
    if (event?.timestamp !== undefined) all = noted(all, event);
  }
  const { thought, calls, subagents } = all;
  return { thought, calls, subagents };
}

/** Only what is worth a look: words are most of a log, and say nothing here. */
const TOLD = /"type":"(REASONING_MESSAGE_(START|END)|TOOL_CALL_(START|RESULT)|SUBAGENT_|RUN_(STARTED|FINISHED))/;

function eventOf(line: string): BaseEvent | undefined {
  if (!TOLD.test(line.slice(0, 200))) return undefined;
  try {
    return JSON.parse(line) as BaseEvent;
  } catch {
    return undefined;
  }
}

/** What is known, with what was recalled: who was there knows better. */
export function withRecalled(known: Noted, { thought, calls, subagents }: Recalled): Noted {
  return {
    ...known,
    thought: new Map([...thought, ...known.thought]),
    calls: new Map([...calls, ...known.calls]),
    subagents: new Map([...subagents, ...known.subagents]),
  };
}
