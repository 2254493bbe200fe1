/**
 * Days, times and moments of a time selector. Bounds are moments; for days only the day counts that a bound is written
 * with, for times only its time of the day.
 */
import {
  type CalendarDate,
  CalendarDateTime,
  type Time,
  getLocalTimeZone,
  parseAbsolute,
  parseDate,
  parseTime,
  startOfWeek,
  toCalendarDate,
  toZoned,
  today,
} from "@internationalized/date";
import type { TimeSelector, TimeSelectorAnswer } from "../generated/its.js";

export type Selection = TimeSelectorAnswer["selection"];

export interface Bounds<T> {
  min: T | undefined;
  max: T | undefined;
}

/** The bounds, unless the latest moment is before the earliest: nothing could be chosen then. */
function inOrder(args: TimeSelector): TimeSelector {
  const [min, max] = [Date.parse(args.min_datetime ?? ""), Date.parse(args.max_datetime ?? "")];
  if (!(min > max)) return args;
  const { min_datetime: _, max_datetime: __, ...rest } = args;
  return rest;
}

/** The days that can be chosen. */
export function dayBounds(args: TimeSelector): Bounds<CalendarDate> {
  const day = (text: string | undefined) => read(text, (moment) => parseDate(moment.slice(0, 10)));
  return ofBoth(inOrder(args), day);
}

function ofBoth<T>(args: TimeSelector, read: (text: string | undefined) => T | undefined): Bounds<T> {
  return { min: read(args.min_datetime), max: read(args.max_datetime) };
}

/** The days of the learner on which a moment can be chosen. */
export function localDayBounds(args: TimeSelector, zone = getLocalTimeZone()): Bounds<CalendarDate> {
  const day = (text: string | undefined) => read(text, (moment) => toCalendarDate(parseAbsolute(moment, zone)));
  return ofBoth(inOrder(args), day);
}

/** The times that can be chosen. Bounds that are not in order say nothing about times. */
export function timeBounds(args: TimeSelector): Bounds<Time> {
  const time = (text: string | undefined) => read(text, (moment) => parseTime(/[Tt ](\d\d:\d\d(:\d\d)?)/.exec(moment)?.[1] ?? ""));
  const { min, max } = ofBoth(inOrder(args), time);
  return min !== undefined && max !== undefined && min.compare(max) > 0 ? { min: undefined, max: undefined } : { min, max };
}

function read<T>(text: string | undefined, parse: (text: string) => T): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Whether something lies between its bounds. */
export function isWithin<T extends { compare(other: T): number }>(value: T, { min, max }: Bounds<T>): boolean {
  return (min === undefined || value.compare(min) >= 0) && (max === undefined || value.compare(max) <= 0);
}

/** The day that a calendar opens with: today, or the first that can be chosen. */
export function firstDay({ min, max }: Bounds<CalendarDate>, now = today(getLocalTimeZone())): CalendarDate {
  if (min !== undefined && now.compare(min) < 0) return min;
  return max !== undefined && now.compare(max) > 0 ? (min ?? max) : now;
}

/** So many weeks a calendar shows at once. */
const MOST_WEEKS = 5;

/** How many weeks a calendar shows: no more than there are to choose from. */
export function weeksFrom(first: CalendarDate, { max }: Bounds<CalendarDate>, locale: string): number {
  if (max === undefined) return MOST_WEEKS;
  const days = startOfWeek(max, locale).compare(startOfWeek(first, locale));
  return Math.min(Math.max(Math.round(days / 7) + 1, 1), MOST_WEEKS);
}

/** A time as the answer has it: hours and minutes. */
export function clockText(time: Time): string {
  return time.toString().slice(0, 5);
}

/** A day and a time of the learner's clock as a moment with a time zone. */
export function momentText(day: CalendarDate, time: Time, zone = getLocalTimeZone()): string {
  const local = new CalendarDateTime(day.year, day.month, day.day, time.hour, time.minute);
  return toZoned(local, zone).toString().replace(/\[.*\]$/, "").replace(/\+00:00$/, "Z");
}

/** Whether a moment lies between the bounds. */
export function isMomentWithin(moment: string, args: TimeSelector): boolean {
  const at = Date.parse(moment);
  const bound = (text: string | undefined, none: number) => (text === undefined || Number.isNaN(Date.parse(text)) ? none : Date.parse(text));
  const { min_datetime, max_datetime } = inOrder(args);
  return at >= bound(min_datetime, -Infinity) && at <= bound(max_datetime, Infinity);
}

/** What was chosen, as people say it. `range` joins the ends of a range in words, since a dash is not read out. */
export function selectionText(selection: Selection, locale: string, range: (start: string, end: string) => string): string {
  const day = (text: string) => format(locale, { dateStyle: "full", timeZone: "UTC" }, `${text}T00:00:00Z`, text);
  const time = (text: string) => format(locale, { timeStyle: "short", timeZone: "UTC" }, `2000-01-01T${text}Z`, text);
  const { selected_date, selected_time, selected_datetime, start_date, end_date, start_time, end_time } = selection;
  if (selected_date !== undefined) return day(selected_date);
  if (selected_time !== undefined) return time(selected_time);
  if (selected_datetime !== undefined) return format(locale, { dateStyle: "full", timeStyle: "short" }, selected_datetime, selected_datetime);
  if (start_date !== undefined && end_date !== undefined) return start_date === end_date ? day(start_date) : range(day(start_date), day(end_date));
  if (start_time !== undefined && end_time !== undefined) return range(time(start_time), time(end_time));
  return "";
}

function format(locale: string, options: Intl.DateTimeFormatOptions, moment: string, fallback: string): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? fallback : new Intl.DateTimeFormat(locale, options).format(date);
}
