import { makeAssistantTool } from "@assistant-ui/react";

const nothing = { type: "object", properties: {} };

const Location = makeAssistantTool({
  toolName: "get_location",
  description: "Where the person is.",
  parameters: nothing,
  execute: async () => ({ city: "Bern", colour: "teal" }),
});

const Theme = makeAssistantTool({
  toolName: "set_theme",
  description: "Changes the colour of the page.",
  parameters: { type: "object", properties: { colour: { type: "string" } } },
  execute: async ({ colour }) => {
    document.body.dataset.theme = colour;
    return "changed";
  },
});

/** What agents may ask of the page. */
export function Tools() {
  return (
    <>
      <Location />
      <Theme />
    </>
  );
}

/** A call of a tool, with buttons where a person has to agree. */
export function ToolCall({ toolName, argsText, result, approval, respondToApproval }) {
  const isOpen = approval !== undefined && approval.approved === undefined && approval.resolution === undefined;
  return (
    <div role="group" aria-label={`Call of ${toolName}`}>
      <code>{argsText}</code>
      {result !== undefined && <output>{JSON.stringify(result)}</output>}
      {isOpen && (
        <>
          <button type="button" onClick={() => respondToApproval({ approved: true })}>
            Approve
          </button>
          <button type="button" onClick={() => respondToApproval({ approved: false })}>
            Deny
          </button>
        </>
      )}
    </div>
  );
}
