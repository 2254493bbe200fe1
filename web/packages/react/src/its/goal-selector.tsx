/** Learning goals, of which one or several are chosen. */
import { useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Choices, Chosen } from "./choices.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Shown, given } from "./phase.js";
import { Lead } from "./picture.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";

const NAME = "its:render_goal_selector";

export function GoalSelector(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [chosen, setChosen] = useState<string[]>([]);
  const several = args.allow_multiple_selection ?? false;
  const answer = given(shown)?.selected_goal_ids;
  const choices = args.goals.map((goal) => ({
    id: goal.goal_id,
    text: goal.description,
    lead: <Lead name={goal.icon} fallback={goal.description} />,
  }));
  const list = { label: args.prompt_text, choices };
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.prompt_text}
      hint={answer === undefined && choices.length > 0 ? (several ? text.chooseSome : text.chooseOne) : undefined}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        shown.phase === "live" && (
          <>
            <Send
              isDisabled={shown.isBusy || (chosen.length === 0 && choices.length > 0)}
              isSending={shown.sending !== undefined}
              onPress={() => shown.send({ selected_goal_ids: inOrder(chosen, choices) })}
            >
              {choices.length === 0 ? text.continue : text.send}
            </Send>
            <SkipButton />
          </>
        )
      }
    >
      {answer === undefined ? (
        <Choices {...list} several={several} chosen={chosen} onChange={setChosen} isDisabled={shown.phase === "live" && shown.isBusy} />
      ) : (
        <Chosen {...list} chosen={answer} />
      )}
    </Frame>
  );
}

/** What was chosen, in the order in which it was offered. */
export function inOrder(chosen: string[], choices: { id: string }[]): string[] {
  return [...new Set(choices.map((choice) => choice.id))].filter((id) => chosen.includes(id));
}

export const tool = itsTool(NAME, GoalSelector);
