/** When what has changed is drawn: once per frame, and not while the browser is busy with the last time. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paced } from "./frame.js";

let frames: (() => void)[] = [];
let idle: (() => void)[] = [];

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (go: () => void) => frames.push(go));
  vi.stubGlobal("requestIdleCallback", (go: () => void) => idle.push(go));
});

afterEach(() => {
  vi.unstubAllGlobals();
  frames = [];
  idle = [];
});

function pass(waiting: (() => void)[]): void {
  for (const go of waiting.splice(0)) go();
}

test("however often it is asked for, there is one drawing in a frame", () => {
  const draw = vi.fn();
  const ask = paced(draw);
  ask();
  ask();
  pass(frames);
  expect(draw).toHaveBeenCalledTimes(1);
});

test("the next one waits until the browser is free, and then comes by itself", () => {
  const draw = vi.fn();
  const ask = paced(draw);
  ask();
  pass(frames);
  ask();
  expect(frames).toHaveLength(0);
  pass(idle);
  pass(frames);
  expect(draw).toHaveBeenCalledTimes(2);
  pass(idle);
  expect(frames).toHaveLength(0);
});
