/**
 * A stock assistant-ui page, made of its own primitives. Its address says everything:
 * `?server=URL&agent=NAME&thread=ID`, `protocol=0.0.N` where the server should be told, and `onLeave=cancel` where hanging up
 * stops the run.
 */
import { HttpAgent } from "@ag-ui/client";
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useMemo } from "react";
import { createRoot } from "react-dom/client";
import { historyOf } from "./history.js";
import { Questions } from "./questions.jsx";
import { Surface } from "./surface.jsx";
import { ToolCall, Tools } from "./tools.jsx";

const query = new URLSearchParams(location.search);
const server = query.get("server");
const threadId = query.get("thread");

function agentOf() {
  const url = new URL(`/v1/agents/${query.get("agent")}/runs`, server);
  // Its stop button only hangs up, and the run goes on; what is said next takes its place.
  url.searchParams.set("onBusy", "replace");
  for (const name of ["protocol", "onLeave"]) {
    if (query.has(name)) url.searchParams.set(name, query.get(name));
  }
  return new HttpAgent({ url: String(url), threadId });
}

function Page() {
  const agent = useMemo(agentOf, []);
  const history = useMemo(() => historyOf(server, threadId), []);
  const runtime = useAgUiRuntime({ agent, adapters: { history }, onError: (error) => console.error(`assistant-ui: ${error.message}`) });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Tools />
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
        </ThreadPrimitive.Viewport>
        <Questions />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          <ThreadPrimitive.If running>
            <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
          </ThreadPrimitive.If>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

function UserMessage() {
  return (
    <MessagePrimitive.Root data-testid="said">
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  );
}

function AssistantMessage() {
  const components = { Reasoning, tools: { by_name: { present: Surface }, Fallback: ToolCall } };
  return (
    <MessagePrimitive.Root data-testid="answer">
      <MessagePrimitive.Parts components={components} />
    </MessagePrimitive.Root>
  );
}

function Reasoning({ text }) {
  return <p data-testid="reasoning">{text}</p>;
}

createRoot(document.getElementById("root")).render(<Page />);
