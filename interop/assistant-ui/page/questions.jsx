import { useAgUiInterrupts, useAgUiSubmitInterruptResponses } from "@assistant-ui/react-ag-ui";

/** Questions that are not about a call of a tool: answered with a sentence. */
export function Questions() {
  const questions = useAgUiInterrupts().filter(({ reason }) => reason !== "tool_call");
  const submit = useAgUiSubmitInterruptResponses();
  return questions.map(({ id, message }) => (
    <form
      key={id}
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        const payload = JSON.parse(new FormData(event.currentTarget).get("answer"));
        void submit([{ interruptId: id, status: "resolved", payload }]);
      }}
    >
      <p>{message}</p>
      <input name="answer" aria-label="Answer" />
      <button type="submit">Answer</button>
    </form>
  ));
}
