/** Four things to try in a minute on a demo server. Each ticks itself off. */
import { Button, Icon, IconButton, useMessages } from "@forestage/react";
import { go, paths } from "../router.js";
import { useSettings } from "../settings.js";
import { refreshThreads, sessions, useStage } from "../stage.js";
import { STEPS, type Step, dismiss, useProgress } from "./progress.js";
import { words } from "./words.js";
import "./first-steps.css";

export function FirstSteps() {
  const text = useMessages(words);
  const { done, dismissed } = useProgress();
  const isDemo = useStage(({ server }) => server?.demo === true);
  if (!isDemo || dismissed) return null;
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <header>
        <h3 id="first-steps">{text.title}</h3>
        <span className="fs-muted">{done.length === STEPS.length ? text.allDone : text.progress(done.length, STEPS.length)}</span>
        <IconButton size="sm" icon="close" label={text.dismiss} onPress={dismiss} />
      </header>
      <ol>
        {STEPS.map((step) => (
          <StepItem key={step} step={step} isDone={done.includes(step)} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step, isDone }: { step: Step; isDone: boolean }) {
  const text = useMessages(words);
  const start = starts[step];
  return (
    <li data-done={isDone} data-step={step}>
      <span className="first-steps-tick" role="img" aria-label={isDone ? text.done : text.open}>
        {isDone && <Icon name="check" />}
      </span>
      <div>
        <strong>{text[`${step}Title`]}</strong>
        <p>{text[`${step}How`]}</p>
      </div>
      {start !== undefined && (
        <Button size="sm" onPress={() => void start.run()}>
          {text[start.label]}
        </Button>
      )}
    </li>
  );
}

interface Start {
  label: "reloadAct" | "approveAct" | "inspectAct";
  run: () => void | Promise<void>;
}

/** What the button of a step does. Stopping the server is for the person at its terminal. */
const starts: Partial<Record<Step, Start>> = {
  reload: { label: "reloadAct", run: () => begin("long", "Tell me a story") },
  approve: { label: "approveAct", run: () => begin("approval", "Write an e-mail to Ann") },
  inspect: { label: "inspectAct", run: inspectLatest },
};

async function inspectLatest(): Promise<void> {
  useSettings.getState().set({ inspector: true });
  await refreshThreads().catch(() => {});
  const [latest] = useStage.getState().threads;
  if (latest === undefined) return begin("hello", "Hello!");
  go(paths.thread(latest.id));
}

function begin(agent: string, text: string): void {
  const session = sessions.begin(agent);
  void session.send(text);
  go(paths.thread(session.threadId));
}
