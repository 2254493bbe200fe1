/** Ends the run at once where the server has no web app: every test would wait for a page that never comes. */
import { Stage } from "./stage.js";

export default async function setup(): Promise<void> {
  const stage = await Stage.demo();
  try {
    const page = await (await fetch(stage.url)).text();
    if (!page.includes('<script type="module"')) {
      throw new Error("the server answers / without the web app: build it with `npm run build` in web/, then build the server again");
    }
  } finally {
    await stage.stop();
  }
}
