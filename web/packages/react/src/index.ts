export * from "./i18n/index.js";
export * from "./slots.js";
export * from "./ui/index.js";
