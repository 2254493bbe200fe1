/** The editor in the colours of the page. */
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { backgroundColor: "var(--code)", color: "var(--text)", fontSize: "var(--text-sm)" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--font-mono)", lineHeight: "1.6", padding: "var(--space-3) 0", caretColor: "var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", overflow: "auto", maxHeight: "24rem", minHeight: "7rem" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none", paddingInlineStart: "var(--space-2)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--text) 5%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--focus) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--good) 25%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", border: "1px solid var(--border)", borderRadius: "var(--radius-sm)", color: "var(--text)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});
