import { expect, test } from "vitest";
import { isRight, piecesOf } from "../blanks.js";

test("blanks are found by their ids, however they are marked", () => {
  for (const mark of ["___b1___", "{{ b1 }}", "[b1]", "<b1>"]) {
    expect(piecesOf(`let ${mark} = 1`, ["b1"])).toEqual({ pieces: [{ text: "let " }, { blank: "b1" }, { text: " = 1" }], rest: [] });
  }
});

test("a mark without an id is the next blank that has no place", () => {
  expect(piecesOf("___ and __two__", ["one", "two"])).toEqual({ pieces: [{ blank: "one" }, { text: " and " }, { blank: "two" }], rest: [] });
});

test("marks without ids are the blanks without a place in the order of the fields, and those that are left come after the code", () => {
  expect(piecesOf("___ = ___ + {{three}}; ____", ["one", "two", "three", "four", "five", "six"])).toEqual({
    pieces: [{ blank: "one" }, { text: " = " }, { blank: "two" }, { text: " + " }, { blank: "three" }, { text: "; " }, { blank: "four" }],
    rest: ["five", "six"],
  });
  expect(piecesOf("___, ___", ["one"])).toEqual({ pieces: [{ blank: "one" }, { text: ", ___" }], rest: [] });
});

test("brackets that are code stay code, and blanks without a place come after it", () => {
  expect(piecesOf("a[i] < b", ["x"])).toEqual({ pieces: [{ text: "a[i] < b" }], rest: ["x"] });
});

test("ids may have signs that mean something in patterns", () => {
  expect(piecesOf("___a.b___ ___aXb___", ["a.b"]).pieces[0]).toEqual({ blank: "a.b" });
});

test("an input is compared as the server does", () => {
  expect(isRight(" let ", ["const", "let"])).toBe(true);
  expect(isRight("Let", ["let"])).toBe(false);
  expect(isRight("let", [])).toBeUndefined();
  expect(isRight("let", undefined)).toBeUndefined();
});
