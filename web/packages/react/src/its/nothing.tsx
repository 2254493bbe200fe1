/** What stands where an agent gave nothing to choose from. The learner can still go on: by skipping, or in words. */
import { useMessages } from "../i18n/index.js";
import { words } from "./words.js";

export function Nothing() {
  return <p className="its-note its-nothing">{useMessages(words).nothingHere}</p>;
}
