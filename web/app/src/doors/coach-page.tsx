/**
 * A page of the coach contract: a chat over `/realtime`, and one panel below it with the view that was shown last. It uses
 * the client and the renderer as anybody's page could.
 */
import { type ConnectionStatus, RealtimeClient, type RealtimeEvent, formSubmit } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { A2uiRenderer, A2uiViewV1Schema } from "@forestage/react/view";
import { useEffect, useMemo, useReducer, useState } from "react";
import { keyOption } from "../stage.js";
import { Door, Said } from "./door.js";
import { doorWords } from "./words.js";

interface Line {
  id: string;
  text: string;
  mine?: boolean;
  error?: boolean;
}

interface Shown {
  lines: Line[];
  /** The view that was shown last, whatever it is. */
  view: unknown;
  /** The tool that works, or has. */
  tool?: { label: string; done: boolean };
}

type Change = RealtimeEvent | { type: "said"; line: Line };

function changed(shown: Shown, event: Change): Shown {
  const said = (line: Line): Shown => ({ ...shown, lines: [...shown.lines, line] });
  switch (event.type) {
    case "said":
      return said(event.line);
    case "TEXT_MESSAGE_CHUNK":
      return said({ id: event.messageId, text: event.delta });
    case "RUN_ERROR":
      return said({ id: crypto.randomUUID(), text: event.message, error: true });
    case "TOOL_CALL_STARTED":
      return { ...shown, tool: { label: event.label, done: false } };
    case "TOOL_CALL_RESULT":
      return { ...shown, tool: { label: event.label, done: true } };
    case "RUN_STARTED": {
      const { tool: _, ...rest } = shown;
      return rest;
    }
    case "CUSTOM":
      return { ...shown, view: event.value.view ?? null };
    default:
      return shown;
  }
}

export function CoachPage({ agent }: { agent?: string }) {
  const words = useMessages(doorWords);
  const client = useMemo(() => new RealtimeClient({ url: "/realtime", ...keyOption(), ...(agent !== undefined && { agent }) }), [agent]);
  const [shown, change] = useReducer(changed, { lines: [], view: null });
  const [connection, setConnection] = useState<ConnectionStatus>(client.status);
  useEffect(() => {
    const ends = [client.onEvent(change), client.onStatus(setConnection)];
    void client.connect().catch(() => {});
    return () => {
      for (const end of ends) end();
      client.close();
    };
  }, [client]);
  const say = (text: string) => {
    change({ type: "said", line: { id: client.say(text), text, mine: true } });
  };
  // What is no view is not shown, and the chat goes on.
  const parsed = useMemo(() => A2uiViewV1Schema.safeParse(shown.view), [shown.view]);
  const submit = (formId: string, values: Record<string, unknown>) => {
    if (!parsed.success) return;
    const sent = client.sendAction(formSubmit(parsed.data.viewId, formId, values));
    if (sent === undefined) change({ type: "said", line: { id: crypto.randomUUID(), text: words.notSent, error: true } });
  };
  const tool = shown.tool === undefined ? "" : shown.tool.done ? words.done(shown.tool.label) : words.working(shown.tool.label);
  const status = { connecting: words.connecting, open: tool, waiting: words.lost, closed: words.closed }[connection.state];
  return (
    <Door title={words.coach} status={status} isDisabled={connection.state === "closed"} onSay={say}>
      {shown.lines.map(({ id, text, mine, error }) => (
        <Said key={id} text={error === true && text !== words.notSent ? words.failed(text) : text} mine={mine ?? false} error={error ?? false} />
      ))}
      {parsed.success && <A2uiRenderer view={parsed.data} onSubmitForm={submit} />}
    </Door>
  );
}
