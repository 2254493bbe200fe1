// @ts-check
/** The server that the page uses. */
export { Server, command, missingServer } from "../../page/server.mjs";
