/**
 * An editor in which learners write, change and run code. The browser runs what it can; the tutor gets the code with what it
 * printed as `run_code`, or without it where the browser cannot run it. What is submitted is `submit_code`. Either is the one
 * answer that a call has; after a run learners can go on trying here, and the tutor shows what comes next.
 */
import { Suspense, lazy, useEffect, useId, useRef, useState } from "react";
import { Highlighted } from "../code/highlight.js";
import { hasPython } from "../code/python.js";
import { type Runnable, asks } from "../code/asks.js";
import { useMessages } from "../i18n/index.js";
import { Badge, Button } from "../ui/index.js";
import type { Ending } from "../code/run.js";
import { EditorOutput, recorded, remarkOf } from "./editor-output.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Answer, type Args, type Shown, given } from "./phase.js";
import { SkipButton, itsTool } from "./tool.js";
import { useRun } from "./use-run.js";
import { words } from "./words.js";
import "./interactive-code-editor.css";

const NAME = "its:render_interactive_code_editor";

const Editor = lazy(async () => ({ default: (await import("../code/editor.js")).Editor }));

export function InteractiveCodeEditor(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const answer = given(shown);
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.problem_description}
      status={
        <span className="its-language">
          {args.config?.read_only === true && <Badge>{text.readOnly}</Badge>}
          <Badge tone="accent">{LABELS[args.language]}</Badge>
          {shown.phase === "answered" && <Badge icon="check">{shown.answer.action === "run_code" ? text.ran : text.submitted}</Badge>}
        </span>
      }
    >
      {answer?.action === "submit_code" ? (
        <Highlighted code={answer.current_code} language={args.language} />
      ) : (
        <Desk args={args} run={answer} isBusy={shown.phase === "live" && shown.isBusy} {...(shown.phase === "live" && { onSend: shown.send })} />
      )}
    </Frame>
  );
}

const LABELS: Record<Args<typeof NAME>["language"], string> = { python: "Python", javascript: "JavaScript", java: "Java", html: "HTML", css: "CSS" };

interface DeskProps {
  args: Args<typeof NAME>;
  /** The run that was sent, if one was. */
  run: Answer<typeof NAME> | undefined;
  isBusy: boolean;
  /** Sends the answer; not there once it has been given. */
  onSend?: (answer: Answer<typeof NAME>) => void;
}

function Desk({ args, run, isBusy, onSend }: DeskProps) {
  const text = useMessages(words);
  const id = useId();
  const [code, setCode] = useState(run?.current_code ?? args.initial_code ?? "");
  // What was run elsewhere is shown to whoever has not begun to write here.
  useEffect(() => {
    if (run !== undefined) setCode((known) => (known === (args.initial_code ?? "") ? run.current_code : known));
  }, [run?.current_code]);
  const [input, setInput] = useState("");
  const page = useRef<HTMLDivElement>(null);
  const runnable = runnableOf(args);
  const running = useRun(runnable, page);
  const isRunning = running.state === "starting" || running.state === "running";
  const hasRun = args.config?.show_run_button ?? true;
  const isReadOnly = args.config?.read_only ?? false;
  const isPage = args.language === "html" || args.language === "css";
  const canSend = onSend !== undefined && !isBusy;
  const send = (action: "run_code" | "submit_code", more: { output?: string } = {}) => onSend?.({ editor_id: args.editor_id, current_code: code, action, ...more });
  const start = () => {
    if (runnable === undefined) return canSend && send("run_code");
    return running.start(code, input, (ending, output) => canSend && isOver(ending) && send("run_code", { output: outputOf(output, remarkOf(ending, text)) }));
  };
  const label = LABELS[args.language];
  return (
    <>
      <Suspense fallback={<Highlighted code={code} language={args.language} />}>
        <Editor
          value={code}
          language={args.language}
          label={text.code}
          describedBy={`${id}-help`}
          readOnly={isReadOnly || isBusy}
          onChange={setCode}
          {...(hasRun && { onEnter: start })}
        />
      </Suspense>
      <p className="its-hidden" id={`${id}-help`}>
        {text.editorHelp}
      </p>
      {runnable === undefined && <p className="its-note">{hasRun ? text.notRunHere(label) : text.onlySubmitted(label)}</p>}
      {hasRun && runnable !== undefined && asks(runnable, code) && (
        <label className="its-input">
          <span>{text.input}</span>
          <textarea rows={2} dir="ltr" spellCheck={false} value={input} onChange={({ target }) => setInput(target.value)} />
        </label>
      )}
      {run !== undefined && onSend === undefined && <p className="its-note">{text.runSent}</p>}
      <div className="its-footer">
        {hasRun && (runnable !== undefined || onSend !== undefined) && (
          <RunButton isRunning={isRunning} isDisabled={runnable === undefined && !canSend} onRun={start} onStop={running.stop} />
        )}
        {onSend !== undefined && (
          <Send isDisabled={isBusy} isSending={false} onPress={() => send("submit_code")}>
            {text.submit}
          </Send>
        )}
        <span className="its-spacer" />
        {!isReadOnly && code !== (args.initial_code ?? "") && (
          <Button kind="quiet" size="sm" icon="redo" onPress={() => setCode(args.initial_code ?? "")}>
            {text.resetCode}
          </Button>
        )}
        {onSend !== undefined && <SkipButton />}
      </div>
      {hasRun && runnable !== undefined && (
        <EditorOutput running={running.state === "idle" && run?.output !== undefined ? recorded(run.output) : running} expected={args.config?.expected_output} page={isPage ? page : undefined} />
      )}
    </>
  );
}

function RunButton({ isRunning, isDisabled, onRun, onStop }: { isRunning: boolean; isDisabled: boolean; onRun: () => void; onStop: () => void }) {
  const text = useMessages(words);
  if (!isRunning) {
    return (
      <Button icon="chevron" isDisabled={isDisabled} onPress={onRun}>
        {text.run}
      </Button>
    );
  }
  return (
    <Button kind="danger" icon="stop" onPress={onStop}>
      {text.stop}
    </Button>
  );
}

/** So much of what was printed goes along. */
const MAX_OUTPUT = 20_000;

/** Whether code has run. One that the learner stopped, or that did not start, is not told of. */
export function isOver(ending: Ending): boolean {
  return ending !== "stopped" && ending !== "crashed";
}

/** What the tutor gets of a run: what it printed, and why it was ended if it was. */
export function outputOf(output: string, remark: string | undefined): string {
  const kept = output.length > MAX_OUTPUT ? `${output.slice(0, MAX_OUTPUT)}…` : output;
  return remark === undefined ? kept : `${kept}${kept === "" || kept.endsWith("\n") ? "" : "\n"}${remark}`;
}

/** What the browser can run of it. */
function runnableOf(args: Args<typeof NAME>): Runnable | undefined {
  if (args.language === "java" || (args.language === "python" && !hasPython)) return undefined;
  return args.language;
}

export const tool = itsTool(NAME, InteractiveCodeEditor);
