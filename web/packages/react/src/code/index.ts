export { Editor, type EditorProps } from "./editor.js";
export { Highlighted } from "./highlight.js";
export { type Language, guessLanguage } from "./languages.js";
export { type Ending, type Output, type Run, type Runnable, run } from "./run.js";
