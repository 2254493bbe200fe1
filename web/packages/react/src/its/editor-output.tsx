/** What code printed or showed, how it ended, and whether that was expected. */
import type { RefObject } from "react";
import { isAsExpected } from "../code/compare.js";
import { useMessages } from "../i18n/index.js";
import { Spinner } from "../ui/index.js";
import type { RunState, Running } from "./use-run.js";
import { Verdict } from "./verdict.js";
import { words } from "./words.js";

const SECONDS = 10;

/** A run that was sent, as it is shown when the page is opened again. */
export function recorded(output: string): EditorOutputProps["running"] {
  return { state: "done", outputs: output === "" ? [] : [{ stream: "out", text: output }], result: output };
}

export interface EditorOutputProps {
  running: Pick<Running, "state" | "outputs" | "result">;
  expected: string | undefined;
  /** Where a page is shown; code that prints has none. */
  page: RefObject<HTMLDivElement | null> | undefined;
}

export function EditorOutput({ running, expected, page }: EditorOutputProps) {
  const text = useMessages(words);
  const { state, outputs, result } = running;
  const remark = remarkOf(state, text);
  const isEmpty = outputs.length === 0;
  return (
    <section className="its-output" data-state={state} aria-label={page === undefined ? text.output : text.preview}>
      <header className="its-output-head">
        <span>{page === undefined ? text.output : text.preview}</span>
        {remark !== undefined && (
          <span className="its-output-state" role="status">
            {(state === "starting" || state === "running") && <Spinner />}
            {remark}
          </span>
        )}
      </header>
      {page !== undefined && <div className="its-page" ref={page} data-empty={state === "idle" || undefined} />}
      {state === "idle" && <p className="its-note">{page === undefined ? text.notRun : text.notPreviewed}</p>}
      {!isEmpty && (
        <pre className="its-printed" dir="ltr" tabIndex={0} aria-label={text.output}>
          {outputs.map((output, at) => (
            <span key={at} data-stream={output.stream}>
              {output.text}
            </span>
          ))}
        </pre>
      )}
      {isEmpty && page === undefined && state === "done" && <p className="its-note">{text.noOutput}</p>}
      {expected !== undefined && <Expected expected={expected} result={result} isOver={state === "done" || state === "failed"} />}
    </section>
  );
}

function Expected({ expected, result, isOver }: { expected: string; result: string | undefined; isOver: boolean }) {
  const text = useMessages(words);
  const isRight = result !== undefined && isAsExpected(result, expected);
  return (
    <div className="its-expected">
      <span className="its-note">{text.expected}</span>
      <pre className="its-printed" dir="ltr">
        {expected}
      </pre>
      {isOver && <Verdict tone={isRight ? "good" : "bad"}>{isRight ? text.asExpected : text.notAsExpected}</Verdict>}
    </div>
  );
}

export function remarkOf(state: RunState, text: { starting: string; running: string; stopped: string; tooMuch: string; crashed: string; timedOut: (seconds: number) => string }): string | undefined {
  switch (state) {
    case "starting":
      return text.starting;
    case "running":
      return text.running;
    case "stopped":
      return text.stopped;
    case "timeout":
      return text.timedOut(SECONDS);
    case "flood":
      return text.tooMuch;
    case "crashed":
      return text.crashed;
    default:
      return undefined;
  }
}
