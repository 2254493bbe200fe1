// @ts-check
/**
 * What an application makes of `HttpAgent`, in any version of it: the same class, which can also follow a thread that
 * somebody else runs, and use a WebSocket. No version can do that by itself, and all leave the same two seams for it.
 */
import { createRequire } from "node:module";
import { Observable } from "rxjs";

// As CommonJS, which every version runs as: what 0.0.45 ships as modules for Node misses a function.
const require = createRequire(import.meta.url);

/** @param {string} version @param {{ url: string, threadId: string }} config @returns {any} */
export function openAgent(version, config) {
  /** @type {{ HttpAgent: new (config: any) => any }} */
  const { HttpAgent } = require(`client-${version}`);
  class Application extends HttpAgent {
    /** The address of a thread's events, while it is followed. @type {string | null} */
    followed = null;

    /** The address of a socket, if it is to be used instead of requests. @type {string | null} */
    socket = null;

    /** @param {any} input */
    requestInit(input) {
      const init = super.requestInit(input);
      if (this.followed === null) return init;
      return { method: "GET", headers: { Accept: "text/event-stream" }, signal: init.signal };
    }

    /** @param {any} input */
    run(input) {
      if (this.socket !== null) return untilEnd(overSocket(this.socket, input), () => {});
      if (this.followed === null) return super.run(input);
      const url = /** @type {any} */ (this).url;
      this.url = this.followed;
      // Some versions read the address in this call, others when the events are wanted.
      const events = super.run(input);
      return untilEnd(events, () => { this.url = url; });
    }
  }
  return new Application(config);
}

/** The input is the first frame; every frame that comes back is an event. @param {string} url @param {any} input @returns {any} */
function overSocket(url, input) {
  return new Observable((subscriber) => {
    const socket = new WebSocket(url);
    socket.onopen = () => socket.send(JSON.stringify(input));
    socket.onmessage = ({ data }) => subscriber.next(JSON.parse(data));
    socket.onerror = () => subscriber.error(new Error("the socket broke"));
    return () => socket.close();
  });
}

/** The events of one run: the server would go on with the next one. @param {any} events @param {() => void} done @returns {any} */
function untilEnd(events, done) {
  return new Observable((subscriber) => {
    const subscription = events.subscribe({
      next: (/** @type {any} */ event) => {
        subscriber.next(event);
        if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") subscriber.complete();
      },
      error: (/** @type {any} */ error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
    return () => {
      done();
      subscription.unsubscribe();
    };
  });
}
