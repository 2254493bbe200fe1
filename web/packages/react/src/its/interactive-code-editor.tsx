/** An editor in which learners write, change and run code. What they run stays here; what they submit is the answer. */
import { Suspense, lazy, useId, useRef, useState } from "react";
import { Highlighted } from "../code/highlight.js";
import { hasPython } from "../code/python.js";
import { type Runnable, asks } from "../code/asks.js";
import { useMessages } from "../i18n/index.js";
import { Badge, Button } from "../ui/index.js";
import { EditorOutput } from "./editor-output.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Args, type Shown, given } from "./phase.js";
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
      {shown.phase === "answered" || answer !== undefined ? (
        <Highlighted code={answer?.current_code ?? ""} language={args.language} />
      ) : (
        <Desk args={args} isBusy={shown.isBusy} onSubmit={(code) => shown.send({ editor_id: args.editor_id, current_code: code, action: "submit_code" })} />
      )}
    </Frame>
  );
}

const LABELS: Record<Args<typeof NAME>["language"], string> = { python: "Python", javascript: "JavaScript", java: "Java", html: "HTML", css: "CSS" };

function Desk({ args, isBusy, onSubmit }: { args: Args<typeof NAME>; isBusy: boolean; onSubmit: (code: string) => void }) {
  const text = useMessages(words);
  const id = useId();
  const [code, setCode] = useState(args.initial_code ?? "");
  const [input, setInput] = useState("");
  const page = useRef<HTMLDivElement>(null);
  const runnable = runnableOf(args);
  const running = useRun(runnable, page);
  const isRunning = running.state === "starting" || running.state === "running";
  const canRun = runnable !== undefined && (args.config?.show_run_button ?? true);
  const isReadOnly = args.config?.read_only ?? false;
  const start = () => running.start(code, input);
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
          {...(canRun && { onEnter: start })}
        />
      </Suspense>
      <p className="its-hidden" id={`${id}-help`}>
        {text.editorHelp}
      </p>
      {runnable === undefined && <p className="its-note">{args.language === "java" ? text.javaSubmits : text.pythonLeftOut}</p>}
      {canRun && asks(runnable, code) && (
        <label className="its-input">
          <span>{text.input}</span>
          <textarea rows={2} dir="ltr" spellCheck={false} value={input} onChange={({ target }) => setInput(target.value)} />
        </label>
      )}
      <div className="its-footer">
        {canRun &&
          (isRunning ? (
            <Button kind="danger" icon="stop" onPress={running.stop}>
              {text.stop}
            </Button>
          ) : (
            <Button icon="chevron" onPress={start}>
              {text.run}
            </Button>
          ))}
        <Send isDisabled={isBusy} isSending={false} onPress={() => onSubmit(code)}>
          {text.submit}
        </Send>
        <span className="its-spacer" />
        {!isReadOnly && code !== (args.initial_code ?? "") && (
          <Button kind="quiet" size="sm" icon="redo" onPress={() => setCode(args.initial_code ?? "")}>
            {text.resetCode}
          </Button>
        )}
        <SkipButton />
      </div>
      {canRun && <EditorOutput running={running} expected={args.config?.expected_output} page={args.language === "html" || args.language === "css" ? page : undefined} />}
    </>
  );
}

/** What the browser can run of it. */
function runnableOf(args: Args<typeof NAME>): Runnable | undefined {
  if (args.language === "java" || (args.language === "python" && !hasPython)) return undefined;
  return args.language;
}

export const tool = itsTool(NAME, InteractiveCodeEditor);
