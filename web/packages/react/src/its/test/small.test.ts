import { expect, test } from "vitest";
import { mappingOf, takes } from "../dnd-exercise.js";
import { glyphFor } from "../glyph.js";
import { hex } from "../palette.js";
import { isOurs } from "../picture.js";
import { amountOf } from "../progress-visualizer.js";
import { place } from "../radar.js";
import { reasonOf } from "../refusal.js";
import { segmentsOf, updatesOf } from "../skill-mapper.js";
import { marksOf, startOf } from "../skill-slider.js";
import { gradeOf } from "../tool.js";

test("pictures are shown from our origin, or when they come along", () => {
  const page = "https://house.example/threads/1";
  expect(isOurs("/images/a.png", page)).toBe(true);
  expect(isOurs("data:image/png;base64,xx", page)).toBe(true);
  expect(isOurs("data:text/html,xx", page)).toBe(false);
  expect(isOurs("https://example.com/a.png", page)).toBe(false);
  expect(isOurs("javascript:alert(1)", page)).toBe(false);
});

test("icons are known by what agents call them", () => {
  expect(glyphFor("certificate.svg")).toBe("award");
  expect(glyphFor("hand-pointer")).toBe("hand");
  expect(glyphFor("images/concept.svg")).toBe("bulb");
  expect(glyphFor("xyzzy")).toBeUndefined();
});

test("a slider begins on a step and within its ends", () => {
  const slider = { skill_id: "s", skill_name: "S", prompt_text: "", min_value: 0, max_value: 10 };
  expect(startOf({ ...slider, current_value: 3 })).toBe(3);
  expect(startOf(slider)).toBe(5);
  expect(startOf({ ...slider, max_value: 100, step: 25, current_value: 60 })).toBe(50);
  expect(startOf({ ...slider, step: 4, current_value: 10 })).toBe(8);
  expect(marksOf({ ...slider, step: 5 })).toEqual([0, 0.5, 1]);
  expect(marksOf({ ...slider, max_value: 1000 })).toEqual([]);
});

test("only ratings that changed are sent", () => {
  const skills = [
    { skill_id: "a", skill_name: "A", current_rating: 2, max_rating: 5 },
    { skill_id: "b", skill_name: "B", max_rating: 3 },
  ];
  expect(updatesOf(skills, { a: 2, b: 0 })).toEqual([{ skill_id: "b", new_rating: 0 }]);
  expect(segmentsOf({ skill_id: "b", skill_name: "B", max_rating: 3 }, 2)).toEqual([1, 1, 0]);
  expect(segmentsOf({ skill_id: "c", skill_name: "C", max_rating: 100 }, 25)).toEqual([0.25]);
});

test("a zone takes its group, and the pairs keep the order of the things", () => {
  const args = {
    exercise_id: "e",
    prompt_text: "",
    draggables: [
      { id: "x", label: "X", group: "letters" },
      { id: "1", label: "One" },
    ],
    drop_zones: [
      { id: "l", label: "L", accepts_group: "letters" },
      { id: "any", label: "Any" },
    ],
  };
  expect([takes(args, "x", "l"), takes(args, "1", "l"), takes(args, "1", "any"), takes(args, "x", "")]).toEqual([true, false, true, true]);
  expect(mappingOf(args, { "1": "any", x: "l" })).toEqual([
    { draggable_id: "x", drop_zone_id: "l" },
    { draggable_id: "1", drop_zone_id: "any" },
  ]);
});

test("progress is of what there is, also where only milestones say it", () => {
  expect(amountOf({ visualizer_id: "v", type: "bar", current_progress: 140, total_value: 120 })).toEqual({ value: 120, total: 120 });
  expect(amountOf({ visualizer_id: "v", type: "circular", milestones: [{ name: "a", achieved: true }, { name: "b", achieved: false }] })).toEqual({ value: 1, total: 2 });
});

test("the first point of a radar is straight up", () => {
  expect(place(0, 4, 1)).toEqual([100, 26]);
  expect(place(1, 4, 0)).toEqual([100, 100]);
});

test("a grade is what the server keeps with the answer, and nothing else", () => {
  expect(gradeOf({ forestage: { check: { correct: true, right: 1, total: 1 } } })?.correct).toBe(true);
  expect(gradeOf({ check: { correct: true } })).toBeUndefined();
  expect(gradeOf(undefined)).toBeUndefined();
});

test("a refusal is told fault by fault where there are some", () => {
  expect(reasonOf(Object.assign(new Error("no"), { faults: [{ path: "a", message: "one" }, { path: "b", message: "two" }] }))).toBe("one two");
  expect(reasonOf(new Error("the thread is gone"))).toBe("the thread is gone");
  expect(reasonOf("no")).toBe("no");
});

test("colours are written as those who draw want them", () => {
  expect(hex("rgb(255, 0, 16)")).toBe("#ff0010");
  expect(hex("color(srgb 1 0 0)")).toBe("color(srgb 1 0 0)");
});
