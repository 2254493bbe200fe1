/** A slider on which learners say how well they do something. */
import { useState } from "react";
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Args, type Shown, given } from "./phase.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";
import "./skill-slider.css";

const NAME = "its:render_skill_slider";

/** So many marks are told apart by eye. */
const MAX_MARKS = 21;

export function SkillSlider(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [value, setValue] = useState(() => startOf(args));
  const answer = given(shown)?.selected_value;
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      headline={args.prompt_text}
      status={shown.phase === "answered" && <Badge>{text.answered}</Badge>}
      footer={
        shown.phase === "live" && (
          <>
            <Send
              isDisabled={shown.isBusy}
              isSending={shown.sending !== undefined}
              onPress={() => shown.send({ skill_id: args.skill_id, selected_value: value })}
            >
              {text.sendValue(value)}
            </Send>
            <SkipButton />
          </>
        )
      }
    >
      <Slider
        className="its-slider"
        value={answer ?? value}
        onChange={setValue}
        minValue={endsOf(args).min}
        maxValue={endsOf(args).max}
        step={stepOf(args)}
        isDisabled={answer !== undefined || (shown.phase === "live" && shown.isBusy)}
      >
        <div className="its-slider-head">
          <Label dir="auto">{args.skill_name}</Label>
          <SliderOutput className="its-slider-value" />
        </div>
        <SliderTrack className="its-slider-track">
          {({ state }) => (
            <>
              <span className="its-slider-fill" style={{ inlineSize: `${state.getThumbPercent(0) * 100}%` }} />
              {marksOf(args).map((at) => (
                <span key={at} className="its-slider-mark" style={{ insetInlineStart: `${at * 100}%` }} />
              ))}
              <SliderThumb className="its-slider-thumb" />
            </>
          )}
        </SliderTrack>
        <div className="its-slider-ends" aria-hidden="true">
          <span>{endsOf(args).min}</span>
          <span>{endsOf(args).max}</span>
        </div>
      </Slider>
    </Frame>
  );
}

function stepOf(args: Args<typeof NAME>): number {
  return args.step !== undefined && args.step > 0 ? args.step : 1;
}

/** Both ends, the lower one first, however they are written. */
export function endsOf(args: Args<typeof NAME>): { min: number; max: number } {
  return { min: Math.min(args.min_value, args.max_value), max: Math.max(args.min_value, args.max_value) };
}

/** Where the slider stands at first: as asked, otherwise in the middle, in any case on a step. */
export function startOf(args: Args<typeof NAME>): number {
  const { min, max } = endsOf(args);
  const step = stepOf(args);
  const wanted = args.current_value ?? (min + max) / 2;
  const steps = Math.round((Math.min(Math.max(wanted, min), max) - min) / step);
  return Math.min(min + steps * step, min + Math.floor((max - min) / step) * step);
}

/** The places of the marks, from 0 to 1; none if there were too many. */
export function marksOf(args: Args<typeof NAME>): number[] {
  const { min, max } = endsOf(args);
  const range = max - min;
  const count = Math.floor(range / stepOf(args)) + 1;
  if (range <= 0 || count > MAX_MARKS) return [];
  return Array.from({ length: count }, (_, at) => (at * stepOf(args)) / range);
}

export const tool = itsTool(NAME, SkillSlider);
