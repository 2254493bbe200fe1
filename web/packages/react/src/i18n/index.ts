export * from "./i18n.js";
export * from "./time.js";
