/** A day, a time, a moment or a range. Calendars stand open, since choosing a day is all there is to do. */
import { useState } from "react";
import type { CalendarDate, Time } from "@internationalized/date";
import { regional, useLocale, useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { DayCalendar, RangeOfDays } from "./calendar.js";
import { Clock } from "./clock.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Args, type Shown, given } from "./phase.js";
import {
  type Selection,
  clockText,
  dayBounds,
  isMomentWithin,
  isWithin,
  localDayBounds,
  momentText,
  selectionText,
  timeBounds,
} from "./times.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";
import "./time-selector.css";

const NAME = "its:render_time_selector";

/** What has been put in so far. */
interface Draft {
  day?: CalendarDate | undefined;
  lastDay?: CalendarDate | undefined;
  time?: Time | undefined;
  lastTime?: Time | undefined;
}

export function TimeSelector(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const locale = regional(useLocale());
  const [draft, setDraft] = useState<Draft>({});
  const answer = given(shown)?.selection;
  const { selection, problem } = readDraft(args, draft, text.endAfterStart);
  const isBusy = shown.phase === "live" && shown.isBusy;
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
                isDisabled={isBusy || selection === undefined}
                isSending={shown.sending !== undefined}
                onPress={() => selection !== undefined && shown.send({ selector_id: args.selector_id, selection })}
              />
              <SkipButton />
            </>
          )
        }
      >
        {answer === undefined && <Inputs args={args} draft={draft} isDisabled={isBusy} onChange={(part) => setDraft({ ...draft, ...part })} />}
        <p className="its-selection" data-empty={(answer ?? selection) === undefined || undefined} aria-live="polite">
          {problem ?? (selectionText(answer ?? selection ?? {}, locale, text.range) || text.noneYet)}
        </p>
      </Frame>
  );
}

function Inputs({ args, draft, isDisabled, onChange }: { args: Args<typeof NAME>; draft: Draft; isDisabled: boolean; onChange: (part: Draft) => void }) {
  const text = useMessages(words);
  const clock = { isDisabled, bounds: timeBounds(args) };
  switch (args.selection_type) {
    case "date":
      return <DayCalendar label={args.prompt_text} bounds={dayBounds(args)} value={draft.day} isDisabled={isDisabled} onChange={(day) => onChange({ day })} />;
    case "date_range":
      return (
        <RangeOfDays
          label={args.prompt_text}
          bounds={dayBounds(args)}
          isDisabled={isDisabled}
          value={draft.day !== undefined && draft.lastDay !== undefined ? { start: draft.day, end: draft.lastDay } : undefined}
          onChange={({ start, end }) => onChange({ day: start, lastDay: end })}
        />
      );
    case "time":
      return <Clock label={text.time} {...clock} value={draft.time} onChange={(time) => onChange({ time })} />;
    case "time_range":
      return (
        <div className="its-clocks">
          <Clock label={text.start} {...clock} value={draft.time} onChange={(time) => onChange({ time })} />
          <Clock label={text.end} {...clock} value={draft.lastTime} onChange={(lastTime) => onChange({ lastTime })} />
        </div>
      );
    case "datetime":
      return (
        <div className="its-moment">
          <DayCalendar label={text.day} bounds={localDayBounds(args)} value={draft.day} isDisabled={isDisabled} onChange={(day) => onChange({ day })} />
          <div className="its-clocks">
            <Clock label={text.time} isDisabled={isDisabled} bounds={{ min: undefined, max: undefined }} value={draft.time} onChange={(time) => onChange({ time })} />
            <p className="its-note">{text.yourZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
          </div>
        </div>
      );
  }
}

/** The answer that a draft makes, or what is wrong with it. */
export function readDraft(args: Args<typeof NAME>, draft: Draft, endAfterStart: string): { selection?: Selection; problem?: string } {
  const { day, lastDay, time, lastTime } = draft;
  switch (args.selection_type) {
    case "date":
      return day === undefined ? {} : { selection: { selected_date: day.toString() } };
    case "date_range":
      return day === undefined || lastDay === undefined ? {} : { selection: { start_date: day.toString(), end_date: lastDay.toString() } };
    case "time":
      return time === undefined || !isWithin(time, timeBounds(args)) ? {} : { selection: { selected_time: clockText(time) } };
    case "time_range": {
      const bounds = timeBounds(args);
      if (time === undefined || lastTime === undefined || !isWithin(time, bounds) || !isWithin(lastTime, bounds)) return {};
      if (time.compare(lastTime) >= 0) return { problem: endAfterStart };
      return { selection: { start_time: clockText(time), end_time: clockText(lastTime) } };
    }
    case "datetime": {
      if (day === undefined || time === undefined) return {};
      const moment = momentText(day, time);
      return isMomentWithin(moment, args) ? { selection: { selected_datetime: moment } } : {};
    }
  }
}

export const tool = itsTool(NAME, TimeSelector);
