// @ts-check
/** The server that the page uses, with the agent that CopilotKit takes if it names none. */
import { Server as Any } from "../../page/server.mjs";

export { command, missingServer } from "../../page/server.mjs";

export class Server extends Any {
  /** What a front end takes as `runtimeUrl`. */
  get runtime() {
    return `${this.url}/copilotkit`;
  }

  /** @param {string} origin @param {Record<string, string>} [others] @returns {Promise<Server>} */
  static async start(origin, others = {}) {
    const server = await super.start(origin, { FORESTAGE_COPILOTKIT_AGENT: "hello", ...others });
    return /** @type {Server} */ (server);
  }
}
