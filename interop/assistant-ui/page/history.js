/** The conversation as the server has it, for a page that is opened again. The server keeps it, so nothing is written back. */
import { ExportedMessageRepository } from "@assistant-ui/react";
import { fromAgUiMessages } from "@assistant-ui/react-ag-ui";

export function historyOf(server, threadId) {
  const get = (path) => fetch(new URL(path, server));
  const thread = `/v1/threads/${encodeURIComponent(threadId)}`;
  return {
    async load() {
      const found = await get(thread);
      if (found.status === 404) return { messages: [] };
      if ((await found.json()).status === "running") await untilEnd(await get(`${thread}/events`));
      const { messages } = await (await get(`${thread}/messages`)).json();
      const { interrupts } = await (await get(`/v1/interrupts?thread=${encodeURIComponent(threadId)}`)).json();
      return ExportedMessageRepository.fromArray(fromAgUiMessages(withQuestions(messages, interrupts)));
    },
    async append() {},
  };
}

/** Reads the events of a thread to the end of a run. */
async function untilEnd({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/"type":"RUN_(FINISHED|ERROR)"/.test(text)) {
    const { value, done } = await reader.read();
    if (done) return;
    text = text.slice(-100) + value;
  }
  await reader.cancel();
}

/** Questions that wait are where assistant-ui itself keeps them: with the last message of the assistant. */
function withQuestions(messages, records) {
  const interrupts = records.map(({ interrupt }) => interrupt);
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  if (interrupts.length === 0 || last < 0) return messages;
  return messages.with(last, { ...messages[last], metadata: { custom: { agui: { interrupts } } } });
}
