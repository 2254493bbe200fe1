export * from "./approval/index.js";
export { Composer, type ComposerHandle, type ComposerProps } from "./composer/composer.js";
export type { Command, Mention } from "./composer/command-menu.js";
export { ConnectionBanner } from "./connection-banner.js";
export { CopyButton } from "./copy-button.js";
export { Markdown, type MarkdownProps } from "./markdown/index.js";
export * from "./session/index.js";
export { ThreadView, type ThreadViewProps } from "./thread-view.js";
export { words as chatWords } from "./words.js";
