/** Components on a stage of their own, as the chat would draw them. */
import { render } from "@testing-library/react";
import { examples } from "../../generated/index.js";
import type { ItsName } from "../../generated/its.js";
import type { SlotCall, SlotHost } from "../../slots.js";
import { itsRenderers } from "../slots.js";

export const names = Object.keys(examples) as ItsName[];

export function hostWith(more: Partial<SlotHost> = {}): SlotHost {
  const nothing = async () => undefined;
  return { threadId: "t", agent: "a", api: undefined as never, answer: nothing, decline: nothing, act: nothing, request: nothing, say: nothing, write: () => undefined, remember: () => undefined, announce: () => undefined, ...more };
}

/** Draws a call. Unless it says otherwise, its arguments are those of the first example. */
export async function draw(name: ItsName, call: Partial<SlotCall> & { phase: SlotCall["phase"] }, host = hostWith(), readOnly = false) {
  const { tool: Tool } = await itsRenderers[name]();
  const args = examples[name][0]?.arguments;
  const whole = { id: "c1", name, text: JSON.stringify(args), args, ...call } as SlotCall;
  return render(<Tool call={whole} host={host} readOnly={readOnly} />);
}
