import { useFrontendTool, useInterrupt } from "@copilotkit/react-core/v2";
import { z } from "zod";

/** A question comes as it is, or in the event that front ends had before there were questions: then as text. */
const questionOf = ({ value }) => (typeof value === "string" ? JSON.parse(value) : value);

/** What agents may ask of the page, and what they may ask of the person in front of it. */
export function Tools({ agent }) {
  useFrontendTool({
    name: "get_location",
    description: "Where the person is.",
    parameters: z.object({}),
    handler: async () => ({ city: "Bern", colour: "teal" }),
  });
  useFrontendTool({
    name: "set_theme",
    description: "Changes the colour of the page.",
    parameters: z.object({ colour: z.string() }),
    handler: async ({ colour }) => {
      document.body.dataset.theme = colour;
      return "changed";
    },
  });
  useInterrupt({
    agentId: agent ?? undefined,
    render: ({ event, resolve }) => (
      <div role="group" aria-label="Question">
        <p>{questionOf(event).message}</p>
        <button type="button" onClick={() => resolve({ approved: true })}>
          Approve
        </button>
        <button type="button" onClick={() => resolve({ approved: false })}>
          Reject
        </button>
      </div>
    ),
  });
  return null;
}
