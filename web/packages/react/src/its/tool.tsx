/**
 * From a call of a tool to a component: reads the arguments and the answer, tells the phases apart, sends what was
 * answered, and shows what the server says against it. Renderers see none of this.
 */
import { type ComponentType, type ReactNode, createContext, useContext, useState } from "react";
import type { Grade, ItsName } from "../generated/its.js";
import { schemas } from "../generated/its-schema.js";
import { useMessages } from "../i18n/index.js";
import type { SlotCall, SlotHost, SlotResult, ToolSlotProps } from "../slots.js";
import { Button } from "../ui/index.js";
import { Faulty, Skipped } from "./closed.js";
import type { Answer, Answered, Args, Shown } from "./phase.js";
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
    return <WholeTool key={call.id} {...{ name, Renderer, call, host, readOnly }} />;
  }
  ItsTool.displayName = `ItsTool(${name})`;
  return ItsTool;
}

/** A call whose arguments are complete. It is one component before and after the answer, so that what is on the page stays there. */
function WholeTool<N extends ItsName>(props: {
  name: N;
  Renderer: ComponentType<Shown<N>>;
  call: Exclude<SlotCall, { phase: "streaming" }>;
  host: SlotHost;
  readOnly: boolean;
}) {
  const { name, Renderer, call, host, readOnly } = props;
  const [sending, setSending] = useState<Answer<N>>();
  const [refusal, setRefusal] = useState<string>();
  const { skip, skippedReason, unreadable } = useMessages(words);
  const args = call.args as Args<N>;
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
    void attempt(() => host.answer(call.id, answer));
  };
  if (call.phase === "answered") {
    const reason = call.result.error ?? (isAnswer(name, call.result) ? undefined : `${unreadable}: ${call.result.text}`);
    if (reason !== undefined) return <Skipped name={name} args={args} reason={reason} />;
  }
  const isBusy = readOnly || sending !== undefined;
  const skipButton = (
    <Button kind="quiet" className="its-skip" isDisabled={isBusy} onPress={() => void attempt(() => host.decline(call.id, skippedReason))}>
      {skip}
    </Button>
  );
  const shown = call.phase === "answered" ? answeredOf<N>(args, call.result) : { phase: "live", args, isBusy, sending, send };
  return (
    <AnnounceContext value={host.announce}>
      <SkipContext value={skipButton}>
        <Renderer {...(shown as Shown<N>)} />
      </SkipContext>
      {refusal !== undefined && call.phase !== "answered" && (
        <p className="its-refusal" role="alert">
          {refusal}
        </p>
      )}
    </AnnounceContext>
  );
}

function isAnswer(name: ItsName, result: SlotResult): boolean {
  return faultsOf(schemas[name].answer, result.value).length === 0;
}

function answeredOf<N extends ItsName>(args: Args<N>, result: SlotResult): Answered<N> {
  return { phase: "answered", args, answer: result.value as Answer<N>, grade: gradeOf(result.metadata) };
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
