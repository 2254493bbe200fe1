/** What most tests begin with: a server and a browser for the file, and nothing bad that happened to anybody. */
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Stage } from "./stage.js";
import { Visitor, browser } from "./visitor.js";

export interface Scene {
  stage: Stage;
  browser: Browser;
  /** A new person with a page. They leave at the end of the test. */
  visit: (path?: string, options?: BrowserContextOptions) => Promise<Visitor>;
}

export function scene(start: () => Promise<Stage> = () => Stage.demo()): Scene {
  const scene = {} as Scene;
  let visitors: Visitor[] = [];
  beforeAll(async () => {
    [scene.stage, scene.browser] = await Promise.all([start(), browser()]);
    scene.visit = async (path = "/", options = {}) => {
      const visitor = await Visitor.at(scene.browser, scene.stage.url, path, options);
      visitors.push(visitor);
      return visitor;
    };
  });
  afterEach(async () => {
    const mishaps = visitors.flatMap(({ mishaps }) => mishaps);
    await Promise.all(visitors.map((visitor) => visitor.leave()));
    visitors = [];
    expect(mishaps).toEqual([]);
  });
  afterAll(async () => {
    await scene.browser?.close();
    await scene.stage?.stop();
  });
  return scene;
}
