// @ts-check
/**
 * The rxjs that the official client itself uses. It is the client's dependency and not
 * ours, so it is resolved from the client's place: a second copy would not be the same
 * observables.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const fromTheClient = createRequire(fileURLToPath(import.meta.resolve("@ag-ui/client")));

/** @type {{ Observable: any, Subject: any, lastValueFrom: any, tap: any, toArray: any }} */
export const rxjs = fromTheClient("rxjs");
