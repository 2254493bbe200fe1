export { a2uiActivities } from "./slots.js";
