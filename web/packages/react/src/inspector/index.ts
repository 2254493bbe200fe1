export { Inspector, type InspectorProps } from "./inspector.js";
