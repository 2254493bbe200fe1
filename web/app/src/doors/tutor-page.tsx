/**
 * A page of the tutoring contract: a chat over `/awp` in which components appear where they were called. It uses the client
 * and the components as anybody's page could.
 */
import { AwpClient, type AwpEvent, type TailStatus } from "@forestage/client";
import { type SlotCall, type SlotHost, componentOf, slotsOf, toolSlot, useMessages } from "@forestage/react";
import { itsTools } from "@forestage/react/its/slots";
import { Suspense, useEffect, useMemo, useReducer, useState } from "react";
import { api, keyOption } from "../stage.js";
import { Door, Said } from "./door.js";
import { doorWords } from "./words.js";

type Item = { kind: "said"; id: string; text: string; mine?: boolean; error?: boolean } | { kind: "component"; id: string; call: SlotCall };

type Change =
  | { type: "event"; event: AwpEvent }
  | { type: "said"; id: string; text: string; mine?: boolean; error?: boolean }
  | { type: "answered"; id: string; content: unknown };

const slots = slotsOf({ tools: itsTools });

function changed(items: Item[], change: Change): Item[] {
  switch (change.type) {
    case "said": {
      const { type: _, ...said } = change;
      return [...items, { kind: "said", ...said }];
    }
    case "answered":
      return items.map((item) => (item.kind === "component" && item.id === change.id ? { ...item, call: answered(item.call, change.content) } : item));
    case "event":
      return told(items, change.event);
  }
}

function told(items: Item[], event: AwpEvent): Item[] {
  const id = String(event["toolCallId"] ?? event["messageId"]);
  const delta = String(event["delta"] ?? "");
  switch (event.type) {
    case "TEXT_MESSAGE_START":
      return [...items, { kind: "said", id, text: "" }];
    case "TEXT_MESSAGE_CONTENT":
      return items.map((item) => (item.kind === "said" && item.id === id ? { ...item, text: item.text + delta } : item));
    case "TOOL_CALL_START": {
      const name = String(event["toolCallName"]);
      if (toolSlot(slots, name) === undefined) return items;
      return [...items, { kind: "component", id, call: { phase: "streaming", id, name, text: "", args: undefined } }];
    }
    case "TOOL_CALL_ARGS":
      return items.map((item) => (item.kind === "component" && item.id === id ? { ...item, call: { ...item.call, text: item.call.text + delta } } : item));
    case "TOOL_CALL_END":
      return items.map((item) => (item.kind === "component" && item.id === id ? { ...item, call: ready(item.call) } : item));
    case "RUN_ERROR":
      return [...items, { kind: "said", id: crypto.randomUUID(), text: String(event["message"]), error: true }];
    default:
      return items;
  }
}

function ready({ id, name, text }: SlotCall): SlotCall {
  try {
    return { phase: "ready", id, name, text, args: JSON.parse(text) as unknown };
  } catch {
    return { phase: "ready", id, name, text, args: undefined };
  }
}

function answered(call: SlotCall, content: unknown): SlotCall {
  if (call.phase !== "ready") return call;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { ...call, phase: "answered", result: { text, value: content } };
}

export function TutorPage({ agent }: { agent?: string }) {
  const words = useMessages(doorWords);
  const client = useMemo(() => new AwpClient({ url: "/awp", ...keyOption(), ...(agent !== undefined && { agent }) }), [agent]);
  const [items, change] = useReducer(changed, []);
  const [running, setRunning] = useState(false);
  const [connection, setConnection] = useState<TailStatus["state"]>("closed");
  useEffect(() => {
    const ends = [client.onEvent((event) => change({ type: "event", event })), client.onStatus(({ state }) => setConnection(state))];
    return () => {
      for (const end of ends) end();
      client.close();
    };
  }, [client]);

  /** The components by their calls, for the answers to name them. */
  const names = useMemo(() => new Map<string, string>(), [client]);
  for (const item of items) if (item.kind === "component") names.set(item.id, item.call.name);

  const host = useMemo<SlotHost>(() => {
    const run = async (work: Promise<unknown>) => {
      setRunning(true);
      try {
        await work;
      } finally {
        setRunning(false);
      }
    };
    const answer = async (toolCallId: string, content: unknown, error?: string) => {
      const name = names.get(toolCallId) ?? "";
      await run(client.answer({ toolCallId, name, content, ...(error !== undefined && { error }) }));
      change({ type: "answered", id: toolCallId, content });
    };
    const no = () => Promise.reject(new Error("the contract has no such thing"));
    return {
      threadId: client.threadId,
      agent: agent ?? "",
      api,
      answer: (id, content) => answer(id, content),
      decline: (id, reason) => answer(id, "", reason),
      act: no,
      request: no,
      say: (text) => run(client.say(text)),
      write: () => {},
      remember: () => {},
      announce: () => {},
    };
  }, [client, agent, names]);

  const say = (text: string) => {
    change({ type: "said", id: crypto.randomUUID(), text, mine: true });
    host.say(text).catch((error: Error) => change({ type: "said", id: crypto.randomUUID(), text: error.message, error: true }));
  };
  const status = running && connection === "waiting" ? words.lost : running && connection === "connecting" ? words.connecting : "";
  return (
    <Door title={words.tutor} status={status} isDisabled={running} onSay={say}>
      {items.map((item) => {
        if (item.kind === "said") return <Said key={item.id} {...item} text={item.error === true ? words.failed(item.text) : item.text} />;
        const slot = toolSlot(slots, item.call.name);
        if (slot === undefined) return null;
        const Component = componentOf(slot);
        return (
          <Suspense key={item.id} fallback={null}>
            <Component call={item.call} host={host} readOnly={running} />
          </Suspense>
        );
      })}
    </Door>
  );
}
