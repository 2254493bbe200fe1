/** Things to choose from, one or several: as rows or as cards. What was chosen stays in place, marked, when it is over. */
import type { ReactNode } from "react";
import { Checkbox, CheckboxGroup, Radio, RadioGroup } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Icon } from "../ui/index.js";
import { Nothing } from "./nothing.js";
import { Prose } from "./prose.js";
import { words } from "./words.js";
import "./choices.css";

export interface Choice {
  id: string;
  text: string;
  detail?: string | undefined;
  /** A picture at the front. */
  lead?: ReactNode;
}

interface ListProps {
  /** What it is a choice of. */
  label: string;
  choices: Choice[];
  layout?: "rows" | "cards";
  /** How texts are set. */
  font?: "text" | "code";
}

interface LiveProps extends ListProps {
  several: boolean;
  chosen: string[];
  isDisabled: boolean;
  onChange: (chosen: string[]) => void;
}

/** A choice that can be made. */
export function Choices({ label, choices, layout = "rows", font = "text", several, chosen, isDisabled, onChange }: LiveProps) {
  if (choices.length === 0) return <Nothing />;
  const look = { className: "its-choices", "data-layout": layout, "data-font": font, "aria-label": label, isDisabled };
  if (several) {
    return (
      <CheckboxGroup {...look} value={chosen} onChange={onChange}>
        {choices.map((choice, at) => (
          <Checkbox key={`${choice.id} ${at}`} value={choice.id} className="its-choice">
            <Mark kind="check" />
            <Content choice={choice} />
          </Checkbox>
        ))}
      </CheckboxGroup>
    );
  }
  return (
    <RadioGroup {...look} value={chosen[0] ?? null} onChange={(id) => onChange([id])}>
      {choices.map((choice, at) => (
        <Radio key={`${choice.id} ${at}`} value={choice.id} className="its-choice">
          <Mark kind="dot" />
          <Content choice={choice} />
        </Radio>
      ))}
    </RadioGroup>
  );
}

/** A choice that was made. `right` is the key, where it is known. */
export function Chosen({ label, choices, layout = "rows", font = "text", chosen, right }: ListProps & { chosen: string[]; right?: string | undefined }) {
  const text = useMessages(words);
  return (
    <ul className="its-choices" data-layout={layout} data-font={font} aria-label={label}>
      {choices.map((choice, at) => {
        const isChosen = chosen.includes(choice.id);
        const verdict = right === undefined ? undefined : choice.id === right ? "right" : isChosen ? "wrong" : undefined;
        const said = [isChosen ? text.chosen : "", verdict === "right" ? text.rightAnswer : ""].filter((part) => part !== "");
        return (
          <li key={`${choice.id} ${at}`} className="its-choice" data-over="" data-selected={isChosen || undefined} data-verdict={verdict}>
            <Mark kind={verdict === "wrong" ? "cross" : "check"} />
            <Content choice={choice} />
            {said.length > 0 && <span className="its-choice-said">{said.join(", ")}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function Mark({ kind }: { kind: "check" | "dot" | "cross" }) {
  return (
    <span className="its-mark" data-kind={kind} aria-hidden="true">
      {kind !== "dot" && <Icon name={kind === "cross" ? "close" : "check"} />}
    </span>
  );
}

function Content({ choice }: { choice: Choice }) {
  return (
    <>
      {choice.lead !== undefined && <span className="its-choice-lead">{choice.lead}</span>}
      <span className="its-choice-words" dir="auto">
        <span className="its-choice-text">
          <Prose>{choice.text}</Prose>
        </span>
        {choice.detail !== undefined && (
          <span className="its-choice-detail">
            <Prose>{choice.detail}</Prose>
          </span>
        )}
      </span>
    </>
  );
}
