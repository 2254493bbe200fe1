/** Several skills and how well each is mastered: a shape to see at once, and a bar each to change. */
import { useState } from "react";
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Args, type Shown, given } from "./phase.js";
import { Nothing } from "./nothing.js";
import { Radar } from "./radar.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";
import "./skill-mapper.css";

const NAME = "its:render_skill_mapper";

type Skill = Args<typeof NAME>["skills"][number];
type Ratings = Record<string, number>;

export function SkillMapper(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [changed, setChanged] = useState<Ratings>({});
  const answer = given(shown);
  const ratings: Ratings =
    answer === undefined ? changed : Object.fromEntries(answer.updated_skills.map((skill) => [skill.skill_id, skill.new_rating]));
  const updated = updatesOf(args.skills, changed);
  const isOver = answer !== undefined || (shown.phase === "live" && shown.isBusy);
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        shown.phase === "live" ? (
          <>
            <Send
              isDisabled={shown.isBusy}
              isSending={shown.sending !== undefined}
              onPress={() => shown.send({ mapper_id: args.mapper_id, updated_skills: updated })}
            >
              {updated.length === 0 ? text.itIsRight : text.sendChanges(updated.length)}
            </Send>
            <SkipButton />
          </>
        ) : (
          shown.answer.updated_skills.length === 0 && <p className="its-note">{text.unchanged}</p>
        )
      }
    >
      {args.skills.length === 0 && <Nothing />}
      <div className="its-skills">
        <Radar points={args.skills.map((skill) => ({ name: skill.skill_name, share: (ratings[skill.skill_id] ?? ratingOf(skill)) / bestOf(skill) }))} />
        <ul className="its-skill-list">
          {args.skills.map((skill, at) => (
            <li key={`${skill.skill_id} ${at}`}>
              <Rating
                skill={skill}
                value={ratings[skill.skill_id] ?? ratingOf(skill)}
                isDisabled={isOver}
                onChange={(value) => setChanged({ ...changed, [skill.skill_id]: value })}
              />
            </li>
          ))}
        </ul>
      </div>
    </Frame>
  );
}

function Rating({ skill, value, isDisabled, onChange }: { skill: Skill; value: number; isDisabled: boolean; onChange: (value: number) => void }) {
  const text = useMessages(words);
  const before = ratingOf(skill);
  const isChanged = value !== before;
  return (
    <Slider
      className="its-skill"
      minValue={0}
      maxValue={bestOf(skill)}
      step={1}
      value={value}
      onChange={onChange}
      isDisabled={isDisabled || skill.max_rating < 1}
      data-changed={isChanged || undefined}
    >
      <div className="its-skill-head">
        <Label dir="auto">{skill.skill_name}</Label>
        {isChanged && <span className="its-skill-before">{text.from(before)}</span>}
        <SliderOutput className="its-skill-value">{text.valueOf(value, skill.max_rating)}</SliderOutput>
      </div>
      <SliderTrack className="its-skill-track" data-segments={skill.max_rating <= 10 || undefined}>
        <span className="its-skill-bar" aria-hidden="true">
          {segmentsOf(skill, value).map((filled, at) => (
            <span key={at} className="its-skill-segment">
              <span style={{ inlineSize: `${filled * 100}%` }} />
            </span>
          ))}
        </span>
        <SliderThumb className="its-skill-thumb" />
      </SliderTrack>
      {skill.description !== undefined && (
        <p className="its-skill-about" dir="auto">
          {skill.description}
        </p>
      )}
      {skill.tags !== undefined && skill.tags.length > 0 && (
        <p className="its-skill-tags">
          {[...new Set(skill.tags)].map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
    </Slider>
  );
}

function ratingOf(skill: Skill): number {
  return Math.min(Math.max(skill.current_rating ?? 0, 0), Math.max(skill.max_rating, 0));
}

/** The best rating; a scale that has none is drawn with one that cannot be reached. */
function bestOf(skill: Skill): number {
  return Math.max(skill.max_rating, 1);
}

/** How full each piece of the bar is; long scales are one piece. */
export function segmentsOf(skill: Skill, value: number): number[] {
  if (skill.max_rating > 10) return [value / skill.max_rating];
  return Array.from({ length: bestOf(skill) }, (_, at) => (at < value ? 1 : 0));
}

/** The skills whose ratings are others than they were. */
export function updatesOf(skills: Skill[], changed: Ratings): { skill_id: string; new_rating: number }[] {
  return skills.flatMap((skill) => {
    const rating = changed[skill.skill_id];
    return rating === undefined || rating === skill.current_rating ? [] : [{ skill_id: skill.skill_id, new_rating: rating }];
  });
}

export const tool = itsTool(NAME, SkillMapper);
