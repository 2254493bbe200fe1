export { viewActivities } from "./slots.js";
