/** A calendar that stands open, for a day or for a range of days. */
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar,
  useLocale as useAriaLocale,
} from "react-aria-components";
import type { CalendarDate } from "@internationalized/date";
import { Button as AriaButton } from "react-aria-components";
import { regional, useLocale } from "../i18n/index.js";
import { Icon } from "../ui/index.js";
import { type Bounds, firstDay, weeksFrom } from "./times.js";

/** The first week is that of the first day that can be chosen, most often today: days that are over take no room. */
function useWeeks(bounds: Bounds<CalendarDate>) {
  const { locale } = useAriaLocale();
  const first = firstDay(bounds);
  return { visibleDuration: { weeks: weeksFrom(first, bounds, locale) }, selectionAlignment: "start", defaultFocusedValue: first } as const;
}

interface CalendarProps {
  label: string;
  bounds: Bounds<CalendarDate>;
  isDisabled: boolean;
}

/** Only what is there is given, since a bound that is `undefined` is not the same as none. */
function boundsOf({ min, max }: Bounds<CalendarDate>): { minValue?: CalendarDate; maxValue?: CalendarDate } {
  return { ...(min !== undefined && { minValue: min }), ...(max !== undefined && { maxValue: max }) };
}

export function DayCalendar({ label, bounds, isDisabled, value, onChange }: CalendarProps & { value: CalendarDate | undefined; onChange: (day: CalendarDate) => void }) {
  return (
    <Calendar
      className="its-calendar"
      aria-label={label}
      {...boundsOf(bounds)}
      {...useWeeks(bounds)}
      isDisabled={isDisabled}
      value={value ?? null}
      onChange={onChange}
    >
      <Month />
    </Calendar>
  );
}

export interface DayRange {
  start: CalendarDate;
  end: CalendarDate;
}

export function RangeOfDays({ label, bounds, isDisabled, value, onChange }: CalendarProps & { value: DayRange | undefined; onChange: (range: DayRange) => void }) {
  return (
    <RangeCalendar
      className="its-calendar"
      aria-label={label}
      {...boundsOf(bounds)}
      {...useWeeks(bounds)}
      isDisabled={isDisabled}
      value={value ?? null}
      onChange={onChange}
    >
      <Month />
    </RangeCalendar>
  );
}

/** A day. The first one of a month names it, since the weeks of two months can stand below one another. */
function Day({ date }: { date: CalendarDate }) {
  const locale = regional(useLocale());
  return (
    <CalendarCell date={date} className="its-day">
      {({ formattedDate }) => (date.day === 1 ? <span data-month={monthOf(date, locale)}>{formattedDate}</span> : formattedDate)}
    </CalendarCell>
  );
}

function monthOf(date: CalendarDate, locale: string): string {
  return new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" }).format(date.toDate("UTC"));
}

function Month() {
  return (
    <>
      <header className="its-month">
        <AriaButton slot="previous" className="its-month-turn">
          <Icon name="back" />
        </AriaButton>
        <Heading className="its-month-name" level={4} />
        <AriaButton slot="next" className="its-month-turn">
          <Icon name="chevron" />
        </AriaButton>
      </header>
      <CalendarGrid className="its-days">
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <Day date={date} />}</CalendarGridBody>
      </CalendarGrid>
    </>
  );
}
