export { Editor, type EditorProps } from "./editor.js";
export { Highlighted } from "./highlight.js";
export { type Language, guessLanguage } from "./languages.js";
export { type Runnable, asks } from "./asks.js";
export { type Ending, type Output, type Run, run } from "./run.js";
