/** A question about code: choose one of several answers, put blocks in order, or fill in blanks. */
import { useState } from "react";
import type { Grade } from "../generated/its.js";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Blanks } from "./assessment-blanks.js";
import { Blocks } from "./assessment-blocks.js";
import { isRight } from "./blanks.js";
import { blocksOf, correctOrder } from "./blocks.js";
import { Choices, Chosen } from "./choices.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { Nothing } from "./nothing.js";
import { type Answer, type Args, type Shown, given } from "./phase.js";
import { Snippet } from "./snippet.js";
import { SkipButton, itsTool } from "./tool.js";
import { Verdict } from "./verdict.js";
import { words } from "./words.js";
import "./code-assessment.css";

const NAME = "its:render_code_assessment";

/** What has been done so far, as far as the kind of the question needs it. */
interface Draft {
  chosen: string[];
  order: string[];
  inputs: Record<string, string>;
}

export function CodeAssessment(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [draft, setDraft] = useState<Draft>(() => ({ chosen: [], order: [...new Set(blocksOf(args.dnd_model).map((block) => block.id))], inputs: {} }));
  const answer = given(shown);
  const grade = answer === undefined ? undefined : gradeOf(args, answer);
  const next = answerOf(args, draft);
  const isOver = answer !== undefined || (shown.phase === "live" && shown.isBusy);
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.problem_statement}
      hint={args.assessment_type === "dnd_code_blocks" && answer === undefined ? text.blocksHelp : undefined}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        <>
          {grade !== undefined && <Marks grade={grade} />}
          {shown.phase === "live" && (
            <>
              <Send isDisabled={shown.isBusy || next === undefined} isSending={shown.sending !== undefined} onPress={() => next !== undefined && shown.send(next)} />
              <SkipButton />
            </>
          )}
        </>
      }
    >
      <Question args={args} draft={draft} answer={answer} isOver={isOver} grade={grade} onChange={(part) => setDraft({ ...draft, ...part })} />
    </Frame>
  );
}

interface QuestionProps {
  args: Args<typeof NAME>;
  draft: Draft;
  answer: Answer<typeof NAME> | undefined;
  isOver: boolean;
  grade: Grade | undefined;
  onChange: (part: Partial<Draft>) => void;
}

function Question({ args, draft, answer, isOver, grade, onChange }: QuestionProps) {
  switch (args.assessment_type) {
    case "mcq": {
      const list = { label: args.problem_statement, choices: args.choices ?? [], font: "code" } as const;
      return (
        <>
          {args.code_snippet !== undefined && <Snippet code={args.code_snippet} />}
          {answer?.submitted_answer_id === undefined ? (
            <Choices {...list} several={false} chosen={draft.chosen} isDisabled={isOver} onChange={(chosen) => onChange({ chosen })} />
          ) : (
            <Chosen {...list} chosen={[answer.submitted_answer_id]} />
          )}
        </>
      );
    }
    case "dnd_code_blocks":
      return (
        <>
          {args.code_snippet !== undefined && <Snippet code={args.code_snippet} />}
          {blocksOf(args.dnd_model).length === 0 && answer === undefined && <Nothing />}
          <Blocks
            blocks={blocksOf(args.dnd_model)}
            order={answer?.dropped_items_order ?? draft.order}
            right={answer === undefined ? undefined : correctOrder(args.dnd_model)}
            isOver={isOver}
            onChange={(order) => onChange({ order })}
          />
        </>
      );
    case "fill_in_the_blanks":
      return (
        <>
        {(args.blank_fields ?? []).length === 0 && <Nothing />}
        <Blanks
          snippet={args.code_snippet ?? ""}
          fields={args.blank_fields ?? []}
          inputs={answer === undefined ? draft.inputs : Object.fromEntries((answer.filled_blanks ?? []).map((blank) => [blank.blank_id, blank.user_input]))}
          parts={grade?.parts}
          isOver={isOver}
          onChange={(inputs) => onChange({ inputs })}
        />
        </>
      );
  }
}

function Marks({ grade }: { grade: Grade }) {
  const text = useMessages(words);
  if (grade.correct) return <Verdict tone="good">{text.correct}</Verdict>;
  return <Verdict tone="bad">{grade.total > 1 ? text.partly(grade.right, grade.total) : text.wrong}</Verdict>;
}

/** The answer that a draft makes, once it is complete. */
export function answerOf(args: Args<typeof NAME>, draft: Draft): Answer<typeof NAME> | undefined {
  const { assessment_id } = args;
  switch (args.assessment_type) {
    case "mcq":
      return draft.chosen[0] === undefined ? undefined : { assessment_id, submitted_answer_id: draft.chosen[0] };
    case "dnd_code_blocks":
      return draft.order.length === 0 ? undefined : { assessment_id, dropped_items_order: draft.order };
    case "fill_in_the_blanks": {
      const filled_blanks = (args.blank_fields ?? []).map(({ blank_id }) => ({ blank_id, user_input: draft.inputs[blank_id] ?? "" }));
      return filled_blanks.every((blank) => blank.user_input.trim() === "") ? undefined : { assessment_id, filled_blanks };
    }
  }
}

/** Who was right, by the key that came with the arguments; said at once, and the same as the server says. */
export function gradeOf(args: Args<typeof NAME>, answer: Answer<typeof NAME>): Grade | undefined {
  if (args.assessment_type === "dnd_code_blocks") {
    const right = correctOrder(args.dnd_model);
    const ids = blocksOf(args.dnd_model).map((block) => block.id);
    // A key that names what is not there is none.
    if (right === undefined || (ids.length > 0 && !right.every((id) => ids.includes(id)))) return undefined;
    const correct = right.join("\n") === answer.dropped_items_order?.join("\n");
    return { correct, right: correct ? 1 : 0, total: 1, parts: [] };
  }
  const parts = (args.blank_fields ?? []).flatMap((field) => {
    const input = answer.filled_blanks?.find((blank) => blank.blank_id === field.blank_id)?.user_input ?? "";
    const correct = isRight(input, field.correct_answers);
    return correct === undefined ? [] : [{ id: field.blank_id, correct }];
  });
  if (args.assessment_type !== "fill_in_the_blanks" || parts.length === 0) return undefined;
  const right = parts.filter((part) => part.correct).length;
  return { correct: right === parts.length, right, total: parts.length, parts };
}

export const tool = itsTool(NAME, CodeAssessment);
