/** Code with blanks in it. Blanks that the code does not mention stand below it. */
import { Fragment } from "react";
import type { CodeAssessment, Grade } from "../generated/its.js";
import { useMessages } from "../i18n/index.js";
import { Icon } from "../ui/index.js";
import { piecesOf } from "./blanks.js";
import { words } from "./words.js";

type GradedPart = NonNullable<Grade["parts"]>[number];
type Field = NonNullable<CodeAssessment["blank_fields"]>[number];

export interface BlanksProps {
  snippet: string;
  fields: Field[];
  inputs: Record<string, string>;
  /** Which are right, once that is known. */
  parts: GradedPart[] | undefined;
  isOver: boolean;
  onChange: (inputs: Record<string, string>) => void;
}

export function Blanks({ snippet, fields, inputs, parts, isOver, onChange }: BlanksProps) {
  const { pieces, rest } = piecesOf(
    snippet,
    fields.map((field) => field.blank_id),
  );
  const blank = (id: string) => (
    <Blank
      field={fields.find((field) => field.blank_id === id) ?? { blank_id: id }}
      at={fields.findIndex((field) => field.blank_id === id) + 1}
      input={inputs[id] ?? ""}
      isRight={parts?.find((part) => part.id === id)?.correct}
      isOver={isOver}
      onChange={(input) => onChange({ ...inputs, [id]: input })}
    />
  );
  return (
    <>
      {pieces.length > 0 && (
        <div className="its-snippet its-blanks" dir="ltr">
          {pieces.map((piece, at) => (
            <Fragment key={at}>{"text" in piece ? piece.text : blank(piece.blank)}</Fragment>
          ))}
        </div>
      )}
      {[...new Set(rest)].map((id) => (
        <div key={id} className="its-blank-row">
          {blank(id)}
        </div>
      ))}
    </>
  );
}

function Blank({ field, at, input, isRight, isOver, onChange }: { field: Field; at: number; input: string; isRight: boolean | undefined; isOver: boolean; onChange: (input: string) => void }) {
  const text = useMessages(words);
  const name = field.label ?? text.blank(at);
  const said = isRight === undefined ? "" : ` (${isRight ? text.correct : text.wrong})`;
  return (
    <span className="its-blank" data-verdict={isRight === undefined ? undefined : isRight ? "right" : "wrong"}>
      <input
        aria-label={name + said}
        placeholder={name}
        title={name}
        value={input}
        readOnly={isOver}
        size={Math.max(name.length, input.length, 6)}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {isRight !== undefined && <Icon name={isRight ? "check" : "close"} />}
    </span>
  );
}
