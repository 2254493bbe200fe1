import { Time, parseDate } from "@internationalized/date";
import { expect, test } from "vitest";
import type { TimeSelector } from "../../generated/its.js";
import { readDraft } from "../time-selector.js";
import { dayBounds, firstDay, isMomentWithin, localDayBounds, momentText, selectionText, timeBounds, weeksFrom } from "../times.js";

const args = (more: Partial<TimeSelector>): TimeSelector => ({ selector_id: "s", selection_type: "date", prompt_text: "When?", ...more });
const range = (start: string, end: string) => `${start} to ${end}`;
const week = { min_datetime: "2024-09-01T08:00:00Z", max_datetime: "2024-09-07T20:00:00Z" };

test("for days only the day counts that a bound is written with", () => {
  const bounds = dayBounds(args({ min_datetime: "2024-09-01T23:00:00-10:00" }));
  expect(bounds.min?.toString()).toBe("2024-09-01");
  expect(localDayBounds(args({ min_datetime: "2024-09-01T23:00:00-10:00" }), "Europe/Amsterdam").min?.toString()).toBe("2024-09-02");
});

test("bounds of times that are not in order say nothing", () => {
  expect(timeBounds(args(week)).min?.toString()).toBe("08:00:00");
  expect(timeBounds(args({ min_datetime: "2024-09-01T22:00:00Z", max_datetime: "2024-09-02T08:00:00Z" }))).toEqual({ min: undefined, max: undefined });
});

test("a calendar opens with a day that can be chosen", () => {
  const now = parseDate("2026-11-16");
  expect(firstDay(dayBounds(args(week)), now).toString()).toBe("2024-09-01");
  expect(firstDay({ min: undefined, max: undefined }, now).toString()).toBe("2026-11-16");
});

test("a moment has the zone of the learner and is held against the bounds as a moment", () => {
  const moment = momentText(parseDate("2024-09-02"), new Time(10), "Europe/Amsterdam");
  expect(moment).toBe("2024-09-02T10:00:00+02:00");
  expect(momentText(parseDate("2024-09-02"), new Time(10), "UTC")).toBe("2024-09-02T10:00:00Z");
  expect(isMomentWithin(moment, args(week))).toBe(true);
  expect(isMomentWithin("2024-09-01T09:59:00+02:00", args(week))).toBe(false);
});

test("a draft is an answer when it is complete and within its bounds", () => {
  const say = "the other way round";
  const range = args({ ...week, selection_type: "time_range" });
  expect(readDraft(range, { time: new Time(9), lastTime: new Time(11, 30) }, say)).toEqual({ selection: { start_time: "09:00", end_time: "11:30" } });
  expect(readDraft(range, { time: new Time(11), lastTime: new Time(11) }, say)).toEqual({ problem: say });
  expect(readDraft(range, { time: new Time(7), lastTime: new Time(11) }, say)).toEqual({});
  expect(readDraft(args({ selection_type: "date_range" }), { day: parseDate("2024-09-02") }, say)).toEqual({});
  expect(readDraft(args({ selection_type: "date" }), { day: parseDate("2024-09-02") }, say)).toEqual({ selection: { selected_date: "2024-09-02" } });
  expect(readDraft(args({ selection_type: "time" }), { time: new Time(7, 30) }, say)).toEqual({ selection: { selected_time: "07:30" } });
});

test("what was chosen is said as people say it", () => {
  expect(selectionText({ selected_date: "2024-09-02" }, "en", range)).toBe("Monday, September 2, 2024");
  expect(selectionText({ start_time: "09:00", end_time: "11:30" }, "nl", range)).toBe("09:00 to 11:30");
  expect(selectionText({ start_date: "2024-09-02", end_date: "2024-09-02" }, "nl", range)).toBe("maandag 2 september 2024");
  expect(selectionText({ selected_date: "soon" }, "en", range)).toBe("soon");
  expect(selectionText({}, "en", range)).toBe("");
});

test("a time or a moment is taken from its first bound to its last, and nothing before or after", () => {
  const bounds = { min_datetime: "2024-09-03T09:15:00Z", max_datetime: "2024-09-12T17:30:00Z" };
  const of = (selection_type: TimeSelector["selection_type"], draft: Parameters<typeof readDraft>[1], more: Partial<TimeSelector> = bounds) => readDraft(args({ ...more, selection_type }), draft, "no").selection;
  const time = (text: string) => new Time(...(text.split(":").map(Number) as [number, number]));
  for (const [text, isIn] of [["09:14", false], ["09:15", true], ["17:30", true], ["17:31", false]] as const) {
    expect(of("time", { time: time(text) })).toEqual(isIn ? { selected_time: text } : undefined);
  }
  expect(of("time_range", { time: time("09:15"), lastTime: time("17:30") })).toEqual({ start_time: "09:15", end_time: "17:30" });
  expect([of("time_range", { time: time("09:14"), lastTime: time("17:30") }), of("time_range", { time: time("09:15"), lastTime: time("17:31") }), of("time_range", { time: time("09:15") })]).toEqual([undefined, undefined, undefined]);
  expect(of("time", { time: time("09:14") }, { max_datetime: bounds.max_datetime })).toEqual({ selected_time: "09:14" });
  expect(of("time", { time: time("17:31") }, { min_datetime: bounds.min_datetime })).toEqual({ selected_time: "17:31" });
  for (const [moment, isIn] of [["2024-09-03T09:14:59Z", false], ["2024-09-03T11:15:00+02:00", true], ["2024-09-12T17:30:00Z", true], ["2024-09-12T17:30:01Z", false]] as const) {
    expect([isMomentWithin(moment, args(bounds)), isMomentWithin(moment, args({}))]).toEqual([isIn, true]);
  }
  expect([dayBounds(args(bounds)).min?.toString(), dayBounds(args(bounds)).max?.toString()]).toEqual(["2024-09-03", "2024-09-12"]);
  expect(of("date_range", { day: parseDate("2024-09-04"), lastDay: parseDate("2024-09-09") })).toEqual({ start_date: "2024-09-04", end_date: "2024-09-09" });
  expect([of("datetime", { day: parseDate("2024-09-04") }), of("datetime", { time: time("10:00") })]).toEqual([undefined, undefined]);
});

test("a calendar begins with the week of today, and shows no more weeks than can be chosen from", () => {
  const day = parseDate("2026-11-18");
  const weeks = (max: string | undefined) => weeksFrom(day, { min: undefined, max: max === undefined ? undefined : parseDate(max) }, "en-GB");
  expect(weeks(undefined)).toBe(5);
  expect(weeks("2026-11-22")).toBe(1);
  expect(weeks("2026-11-23")).toBe(2);
  expect(weeks("2027-06-01")).toBe(5);
});
