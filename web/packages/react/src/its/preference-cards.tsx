/** Cards, of which those are chosen that somebody prefers. None at all is an answer, too. */
import { useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Choices, Chosen } from "./choices.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { inOrder } from "./goal-selector.js";
import { type Shown, given } from "./phase.js";
import { Lead, Picture } from "./picture.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";

const NAME = "its:render_preference_cards";

export function PreferenceCards(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [chosen, setChosen] = useState<string[]>([]);
  const several = args.allow_multiple_selection ?? true;
  const answer = given(shown)?.selected_card_ids;
  const choices = args.cards.map((card) => ({
    id: card.card_id,
    text: card.title,
    detail: card.description,
    lead: <Picture url={card.image_url} fallback={<Lead name={card.icon} fallback={card.title} />} />,
  }));
  const list = { label: args.prompt_text, choices, layout: "cards" } as const;
  const isBusy = shown.phase === "live" && shown.isBusy;
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.prompt_text}
      hint={answer === undefined && choices.length > 0 ? (several ? text.chooseAny : text.chooseOne) : undefined}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        shown.phase === "live" && (
          <>
            <Send
              isDisabled={isBusy || (!several && chosen.length === 0 && choices.length > 0)}
              isSending={shown.sending !== undefined}
              onPress={() => shown.send({ preference_set_id: args.preference_set_id, selected_card_ids: inOrder(chosen, choices) })}
            >
              {choices.length === 0 ? text.continue : chosen.length === 0 && several ? text.none : text.send}
            </Send>
            <SkipButton />
          </>
        )
      }
    >
      {answer === undefined ? (
        <Choices {...list} several={several} chosen={chosen} onChange={setChosen} isDisabled={isBusy} />
      ) : (
        <Chosen {...list} chosen={answer} />
      )}
    </Frame>
  );
}

export const tool = itsTool(NAME, PreferenceCards);
