/** In which order requests are shown, and which comes next. Pure. */
import type { InterruptRecord } from "@forestage/client";
import { isMine, keyOf } from "../stage.js";

const RISKS = ["critical", "high", "medium", "low"];

/** What waits for this person first; then by risk, then by what expires first, then by age. */
export function ordered(questions: readonly InterruptRecord[], user: string | undefined): InterruptRecord[] {
  const place = (question: InterruptRecord): number[] => [
    isMine(question, user) ? 0 : 1,
    riskPlace(question),
    question.expiresAt ?? Number.MAX_SAFE_INTEGER,
    question.openedAt,
  ];
  return questions.toSorted((one, other) => compared(place(one), place(other)));
}

/** The request to show once one was decided: the one below it, or else the one above, of those that still wait. */
export function nextOf(questions: readonly InterruptRecord[], decided: InterruptRecord, user: string | undefined): InterruptRecord | undefined {
  const at = questions.findIndex((question) => keyOf(question) === keyOf(decided));
  const isNext = (question: InterruptRecord) => isMine(question, user) && keyOf(question) !== keyOf(decided);
  return questions.slice(at + 1).find(isNext) ?? questions.slice(0, Math.max(0, at)).findLast(isNext);
}

function riskPlace({ risk }: InterruptRecord): number {
  const at = RISKS.indexOf(risk ?? "");
  return at < 0 ? RISKS.length : at;
}

function compared(one: number[], other: number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
