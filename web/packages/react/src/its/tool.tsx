/**
 * From a call of a tool to a component: reads the arguments and the answer, tells the phases apart, sends what was
 * answered, and shows what the server says against it. Renderers see none of this.
 */
import { type ComponentType, type ReactNode, createContext, useContext, useState } from "react";
import type { Grade, ItsName } from "../generated/its.js";
import { schemas } from "../generated/its-schema.js";
import { useMessages } from "../i18n/index.js";
import type { SlotHost, SlotResult, ToolSlotProps } from "../slots.js";
import { Button } from "../ui/index.js";
import { Faulty, Skipped } from "./closed.js";
import type { Answer, Args, Shown } from "./phase.js";
import { reasonOf } from "./refusal.js";
import { faultsOf, isObject } from "./schema.js";
import { Skeleton } from "./skeleton.js";
import { words } from "./words.js";

/** Makes a renderer something that the chat can draw. */
export function itsTool<N extends ItsName>(name: N, Renderer: ComponentType<Shown<N>>): ComponentType<ToolSlotProps> {
  function ItsTool({ call, host, readOnly }: ToolSlotProps) {
    if (call.phase === "streaming") return <Skeleton name={name} args={call.args} />;
    const faults = faultsOf(schemas[name].arguments, call.args);
    if (faults.length > 0) return <Faulty name={name} faults={faults} text={call.text} />;
    const args = call.args as Args<N>;
    if (call.phase === "ready") return <LiveTool key={call.id} {...{ Renderer, args, host, readOnly }} callId={call.id} />;
    return <AnsweredTool {...{ name, Renderer, args, result: call.result }} />;
  }
  ItsTool.displayName = `ItsTool(${name})`;
  return ItsTool;
}

function LiveTool<N extends ItsName>(props: {
  Renderer: ComponentType<Shown<N>>;
  args: Args<N>;
  callId: string;
  host: SlotHost;
  readOnly: boolean;
}) {
  const { Renderer, args, callId, host, readOnly } = props;
  const [sending, setSending] = useState<Answer<N>>();
  const [refusal, setRefusal] = useState<string>();
  const attempt = async (work: () => Promise<void>) => {
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      setSending(undefined);
      setRefusal(reasonOf(error));
    }
  };
  const send = (answer: Answer<N>) => {
    setSending(answer);
    void attempt(() => host.answer(callId, answer));
  };
  const { skip, skippedReason } = useMessages(words);
  const isBusy = readOnly || sending !== undefined;
  const skipButton = (
    <Button kind="quiet" className="its-skip" isDisabled={isBusy} onPress={() => void attempt(() => host.decline(callId, skippedReason))}>
      {skip}
    </Button>
  );
  const shown = { phase: "live", args, isBusy, sending, send } as Shown<N>;
  return (
    <AnnounceContext value={host.announce}>
      <SkipContext value={skipButton}>
        <Renderer {...shown} />
      </SkipContext>
      {refusal !== undefined && (
        <p className="its-refusal" role="alert">
          {refusal}
        </p>
      )}
    </AnnounceContext>
  );
}

function AnsweredTool<N extends ItsName>(props: {
  name: N;
  Renderer: ComponentType<Shown<N>>;
  args: Args<N>;
  result: SlotResult;
}) {
  const { name, Renderer, args, result } = props;
  const { unreadable } = useMessages(words);
  if (result.error !== undefined) return <Skipped name={name} args={args} reason={result.error} />;
  if (faultsOf(schemas[name].answer, result.value).length > 0) {
    return <Skipped name={name} args={args} reason={`${unreadable}: ${result.text}`} />;
  }
  const shown = { phase: "answered", args, answer: result.value, grade: gradeOf(result.metadata) } as Shown<N>;
  return <Renderer {...shown} />;
}

/** The grade that the server keeps with an answer. */
export function gradeOf(metadata: Record<string, unknown> | undefined): Grade | undefined {
  const ours = metadata?.["forestage"];
  const check = isObject(ours) ? ours["check"] : undefined;
  return isObject(check) && typeof check["correct"] === "boolean" ? (check as unknown as Grade) : undefined;
}

const AnnounceContext = createContext<(text: string) => void>(() => undefined);
const SkipContext = createContext<ReactNode>(undefined);

/** Tells a screen reader. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext);
}

/** The button for those who do not want to answer, where there is one. */
export function SkipButton() {
  return useContext(SkipContext);
}
