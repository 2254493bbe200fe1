/** A list of things to do, with what is done. */
import { useMessages } from "../../i18n/index.js";
import { Icon } from "../../ui/index.js";
import { words } from "../words.js";

export interface PlanStep {
  title: string;
  done: boolean;
}

/** The steps of an activity that looks like a plan. */
export function planOf(content: unknown): PlanStep[] | undefined {
  const steps = (content as { steps?: unknown } | null)?.steps ?? (content as { tasks?: unknown } | null)?.tasks;
  if (!Array.isArray(steps) || steps.length === 0) return undefined;
  const read = steps.map((step: unknown): PlanStep | undefined => {
    const { title, name, text, done, status } = (step ?? {}) as Record<string, unknown>;
    const shown = [title, name, text].find((one) => typeof one === "string");
    return typeof shown === "string" ? { title: shown, done: done === true || status === "done" || status === "completed" } : undefined;
  });
  return read.every((step) => step !== undefined) ? read : undefined;
}

export function Plan({ steps }: { steps: PlanStep[] }) {
  const { plan, done } = useMessages(words);
  const ready = steps.filter((step) => step.done).length;
  return (
    <section className="fs-plan" aria-label={plan}>
      <header>
        <strong>{plan}</strong>
        <span>
          {ready}/{steps.length}
        </span>
      </header>
      <progress max={steps.length} value={ready} aria-label={plan} />
      <ol>
        {steps.map((step, at) => (
          <li key={at} data-done={step.done}>
            <Icon name={step.done ? "check" : "more"} />
            <span>{step.title}</span>
            {step.done && <span className="fs-visually-hidden">({done})</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
