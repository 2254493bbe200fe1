/** A code editor: CodeMirror with our colours. Tab indents; Escape and then Tab leaves it. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { type Language, loadLanguage } from "./languages.js";
import { theme } from "./theme.js";
import "./code.css";

export interface EditorProps {
  /** What is in it at first. A new `value` from outside takes its place. */
  value: string;
  language: Language;
  label: string;
  /** Longer help, read out after the name. */
  describedBy?: string;
  readOnly?: boolean;
  onChange?: (value: string) => void;
  /** Ctrl+Enter or Cmd+Enter. */
  onEnter?: () => void;
}

export function Editor({ value, language, label, describedBy, readOnly = false, onChange, onEnter }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const parts = useRef({ language: new Compartment(), mode: new Compartment() });
  const latest = useRef({ onChange, onEnter });
  latest.current = { onChange, onEnter };

  useEffect(() => {
    const { language, mode } = parts.current;
    const editor = new EditorView({
      ...(place.current !== null && { parent: place.current }),
      state: EditorState.create({
        doc: value,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (latest.current.onEnter?.(), latest.current.onEnter !== undefined) }])),
          basics,
          language.of([]),
          mode.of([]),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((transaction) => transaction.annotation(fromOutside) === true);
            if (update.docChanged && !isOurs) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    let isCurrent = true;
    void loadLanguage(language).then((support) => {
      const unit = language === "python" || language === "java" ? "    " : "  ";
      if (isCurrent) view.current?.dispatch({ effects: parts.current.language.reconfigure([support, indentUnit.of(unit)]) });
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);

  useEffect(() => {
    const attributes = { tabindex: "0", "aria-label": label, ...(describedBy !== undefined && { "aria-describedby": describedBy }) };
    const mode: Extension = [EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of(attributes)];
    view.current?.dispatch({ effects: parts.current.mode.reconfigure(mode) });
  }, [readOnly, label, describedBy]);

  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, annotations: fromOutside.of(true) });
  }, [value]);

  return <div className="fs-editor" dir="ltr" ref={place} data-read-only={readOnly || undefined} />;
}

/** Marks a change that nobody typed, and of which nobody has to be told. */
const fromOutside = Annotation.define<boolean>();

const basics: Extension = [
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ activateOnTyping: false }),
  highlightActiveLine(),
  EditorView.lineWrapping,
  syntaxHighlighting(classHighlighter),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
  theme,
];
