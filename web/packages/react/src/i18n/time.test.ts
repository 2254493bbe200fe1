/** Times as people write them where they are. */
import { expect, test } from "vitest";
import { clock, regional } from "./time.js";

test("a language is written as it is where the browser is", () => {
  expect(regional("en", ["nl-NL", "en-US", "en"])).toBe("en-US");
  expect(regional("nl", ["en-US", "nl-BE"])).toBe("nl-BE");
});

test("without a word about where, nobody reads AM or PM", () => {
  expect(regional("en", ["nl-NL", "en"])).toBe("en-GB");
  const at = new Date(2026, 10, 17, 14, 5).getTime();
  expect(new Intl.DateTimeFormat(regional("en", []), { timeStyle: "short" }).format(at)).toBe("14:05");
  expect(clock(at, at, "nl")).toBe("14:05");
});
