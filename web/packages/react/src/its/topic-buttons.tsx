/** Buttons, each for a topic or a place to go to. Pressing one is the answer. */
import { Button as AriaButton } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Badge, Icon, Spinner } from "../ui/index.js";
import { Frame } from "./frame.js";
import { Nothing } from "./nothing.js";
import { type Shown, given } from "./phase.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";
import "./topic-buttons.css";

const NAME = "its:render_topic_buttons";

export function TopicButtons(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const answer = given(shown);
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.prompt_text}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={shown.phase === "live" && <SkipButton />}
    >
      <div className="its-topics" role="group" aria-label={args.prompt_text ?? text.chooseOne}>
        {args.buttons.length === 0 && <Nothing />}
        {args.buttons.map((button, at) => {
          const isChosen = button.button_id === answer?.button_id_clicked && button.topic_id_payload === answer.topic_id_payload;
          return (
            <AriaButton
              key={`${button.button_id} ${at}`}
              className="its-topic"
              data-chosen={isChosen || undefined}
              isDisabled={shown.phase === "answered" || shown.isBusy}
              onPress={() =>
                shown.phase === "live" &&
                shown.send({ button_id_clicked: button.button_id, topic_id_payload: button.topic_id_payload })
              }
            >
              <span dir="auto">{button.label}</span>
              {isChosen ? shown.phase === "live" ? <Spinner /> : <Icon name="check" /> : <Icon name="chevron" className="its-topic-go" />}
              {isChosen && <span className="its-hidden">({text.chosen})</span>}
            </AriaButton>
          );
        })}
      </div>
    </Frame>
  );
}

export const tool = itsTool(NAME, TopicButtons);
