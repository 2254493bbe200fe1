/** Addresses, and conversations by date. */
import type { Thread } from "@forestage/client";
import { describe, expect, test } from "vitest";
import { paths, routeOf } from "./router.js";
import { grouped } from "./shell/grouped.js";

describe("addresses", () => {
  test.each([
    ["/", { page: "home" }],
    ["/threads/a%2Fb", { page: "thread", thread: "a/b" }],
    ["/inbox", { page: "inbox" }],
    ["/gallery", { page: "gallery" }],
    ["/gallery/quick-quiz", { page: "gallery", item: "quick-quiz" }],
    ["/inspector/t1", { page: "inspector", thread: "t1" }],
    ["/coach", { page: "coach" }],
    ["/tutor", { page: "tutor" }],
    ["/coach/x", { page: "unknown" }],
    ["/threads", { page: "unknown" }],
    ["/threads/a/b", { page: "unknown" }],
    ["/nonsense", { page: "unknown" }],
  ])("%s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });

  test("lead back to what they were made of", () => {
    expect(routeOf(paths.thread("a/b c"))).toEqual({ page: "thread", thread: "a/b c" });
    expect(routeOf("/", "", "?agent=my%20agent")).toEqual({ page: "home", agent: "my agent" });
    expect(routeOf("/coach", "", "?agent=coach")).toEqual({ page: "coach", agent: "coach" });
    expect(routeOf("/threads/t", "#event=1.42")).toEqual({ page: "thread", thread: "t", event: "1.42" });
    expect(routeOf("/inspector/t", "#event=7")).toEqual({ page: "inspector", thread: "t", event: "7" });
    expect(routeOf("/threads/t", "#m1")).toEqual({ page: "thread", thread: "t", message: "m1" });
  });
});

test("conversations are grouped by the days that people count in", () => {
  const now = new Date(2026, 10, 16, 0, 30).getTime();
  const thread = (id: string, hours: number) => ({ id, updatedAt: now - hours * 3_600_000 }) as Thread;
  const groups = grouped([thread("now", 0), thread("last night", 2), thread("days ago", 80), thread("long ago", 400)], now);
  expect(groups.map(([group, threads]) => [group, threads.map(({ id }) => id)])).toEqual([
    ["today", ["now"]],
    ["yesterday", ["last night"]],
    ["week", ["days ago"]],
    ["earlier", ["long ago"]],
  ]);
});
