/** One component with its arguments to change, in each of its phases, and the answer that comes of it. */
import { examples, schemas } from "@forestage/react/generated";
import { Suspense, useMemo, useState } from "react";
import { type SlotCall, type SlotHost, componentOf, toolSlot } from "@forestage/react";
import { faultsOf } from "@forestage/react/its";
import { Button } from "@forestage/react/ui";
import { useMessages } from "@forestage/react/i18n";
import { slots } from "../slots.js";
import { Answer } from "./answer.js";
import type { ComponentItem } from "./items.js";
import { JsonField } from "./json-field.js";
import { Segments } from "./segments.js";
import { words } from "./words.js";

type Phase = "streaming" | "live" | "answered";

/** What the learner did, as the server would keep it. */
interface Outcome {
  value?: unknown;
  error?: string;
}

export function ComponentStage({ item }: { item: ComponentItem }) {
  const text = useMessages(words);
  const all = examples[item.name];
  const [at, setAt] = useState(0);
  const example = all[at] ?? all[0];
  const [args, setArgs] = useState<unknown>(example?.arguments);
  const [phase, setPhase] = useState<Phase>("live");
  const [outcome, setOutcome] = useState<Outcome>();
  const [turn, setTurn] = useState(0);
  const begin = (args: unknown) => {
    setArgs(args);
    setOutcome(undefined);
    setPhase("live");
    setTurn((turn) => turn + 1);
  };
  const host = useMemo(() => practice((outcome) => (setOutcome(outcome), setPhase("answered"))), []);
  const slot = toolSlot(slots, item.name);
  if (slot === undefined || example === undefined) return null;
  const Tool = componentOf(slot);
  const call = callOf(item.name, phase, args, outcome ?? { value: example.answer });
  return (
    <>
      <div className="gallery-bar">
        <Segments
          label={text.phase}
          value={phase}
          options={[
            { id: "streaming", label: text.streaming },
            { id: "live", label: text.live },
            { id: "answered", label: text.answered },
          ]}
          onChange={(id) => {
            if (id === "live") begin(args);
            else setPhase(id);
          }}
        />
        {all.length > 1 && (
          <Segments
            label={text.example}
            value={String(at)}
            options={all.map((one, at) => ({ id: String(at), label: one.about }))}
            onChange={(id) => {
              setAt(Number(id));
              begin(all[Number(id)]?.arguments);
            }}
          />
        )}
      </div>
      <div className="gallery-stage" data-testid="stage">
        <Suspense fallback={<p>…</p>}>
          <Tool key={`${at}-${turn}`} call={call} host={host} readOnly={false} />
        </Suspense>
      </div>
      <div className="gallery-columns">
        <JsonField label={text.arguments} value={args} check={(value) => faultsOf(schemas[item.name].arguments, value)} onChange={begin} />
        <Answer label={text.answer} value={outcome === undefined ? undefined : outcome.error === undefined ? outcome.value : { error: outcome.error }} none={text.noAnswer}>
          {outcome !== undefined && (
            <Button size="sm" icon="redo" onPress={() => begin(args)}>
              {text.again}
            </Button>
          )}
        </Answer>
      </div>
    </>
  );
}

/** A call in a phase, as a chat would hand it over. */
function callOf(name: string, phase: Phase, args: unknown, outcome: Outcome): SlotCall {
  const text = JSON.stringify(args);
  const call = { id: "gallery", name, text };
  if (phase === "live") return { ...call, phase: "ready", args };
  if (phase === "streaming") return { ...call, phase, args: firstHalf(args) };
  const result = { text: JSON.stringify(outcome.value ?? ""), value: outcome.value, ...(outcome.error !== undefined && { error: outcome.error }) };
  return { ...call, phase, args, result };
}

/** As much of the arguments as has arrived when half of them has. */
function firstHalf(args: unknown): unknown {
  const entries = Object.entries(typeof args === "object" && args !== null ? args : {});
  return Object.fromEntries(entries.slice(0, Math.ceil(entries.length / 2)));
}

/** A host that keeps what is done and sends nothing. */
function practice(done: (outcome: Outcome) => void): SlotHost {
  return {
    threadId: "gallery",
    agent: "gallery",
    api: undefined as never,
    answer: async (_, value) => done({ value }),
    decline: async (_, error) => done({ error }),
    act: async () => undefined,
    request: async () => undefined,
    say: async () => undefined,
    write: () => undefined,
    remember: () => undefined,
    announce: () => undefined,
  };
}
