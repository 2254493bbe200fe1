/** A question with answers to choose from. Who was right is said at once, where the client may know. */
import { useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Choices, Chosen } from "./choices.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Shown, given } from "./phase.js";
import { SkipButton, itsTool } from "./tool.js";
import { Verdict } from "./verdict.js";
import { words } from "./words.js";

const NAME = "its:render_quick_quiz";

export function QuickQuiz(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [chosen, setChosen] = useState<string[]>([]);
  const answer = given(shown)?.selected_option_id;
  // A key that is none of the options is none.
  const right = args.options.find((option) => option.id === args.correct_answer_id_for_fe_feedback)?.id;
  const list = { label: args.question_text, choices: args.options, layout: args.quiz_type === "true-false" ? "cards" : "rows" } as const;
  const [first] = chosen;
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.question_text}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        <>
          {answer !== undefined && right !== undefined && (
            <Verdict tone={answer === right ? "good" : "bad"}>{answer === right ? text.correct : text.wrong}</Verdict>
          )}
          {shown.phase === "live" && (
            <>
              <Send
                isDisabled={shown.isBusy || first === undefined}
                isSending={shown.sending !== undefined}
                onPress={() => first !== undefined && shown.send({ quiz_id: args.quiz_id, selected_option_id: first })}
              />
              <SkipButton />
            </>
          )}
        </>
      }
    >
      {answer === undefined ? (
        <Choices {...list} several={false} chosen={chosen} onChange={setChosen} isDisabled={shown.phase === "live" && shown.isBusy} />
      ) : (
        <Chosen {...list} chosen={[answer]} right={right} />
      )}
    </Frame>
  );
}

export const tool = itsTool(NAME, QuickQuiz);
