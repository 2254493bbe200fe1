/**
 * How far a component is, as its renderer sees it. While arguments stream there is only a skeleton; then the component is
 * live until it is answered; from then on it shows what was answered, after a reload, too.
 */
import type { Grade, ItsComponents, ItsName } from "../generated/its.js";

export type Args<N extends ItsName> = ItsComponents[N]["arguments"];
export type Answer<N extends ItsName> = ItsComponents[N]["answer"];

/** Something can be done with it, unless `isBusy`. */
export interface Live<N extends ItsName> {
  phase: "live";
  args: Args<N>;
  /** True where nothing can be sent now: it is being sent, or somebody else is at it. */
  isBusy: boolean;
  /** What is being sent, until the server has taken or refused it. */
  sending: Answer<N> | undefined;
  send: (answer: Answer<N>) => void;
}

/** It is over, and this is what was said. */
export interface Answered<N extends ItsName> {
  phase: "answered";
  args: Args<N>;
  answer: Answer<N>;
  /** Who was right, where the arguments have a key. */
  grade: Grade | undefined;
}

/** What the renderer of a component gets. */
export type Shown<N extends ItsName> = Live<N> | Answered<N>;

/** The answer that is on its way or has arrived: what instant feedback is about. */
export function given<N extends ItsName>(shown: Shown<N>): Answer<N> | undefined {
  return shown.phase === "answered" ? shown.answer : shown.sending;
}
