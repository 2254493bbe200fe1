/** The control that fits a value: a list for a choice, lines for a text, digits with their unit for an amount. */
import { useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { Choice } from "./choice.js";
import type { FieldProps } from "./field.js";
import { NumberInput } from "./number-input.js";
import { kindOf } from "./schema.js";
import { formWords } from "./words.js";

/** The elements around a control that name and describe it. */
export interface Ids {
  id: string;
  labelledBy: string;
  describedBy: string | undefined;
  invalid: boolean;
}

export function Input({ schema, value, required, disabled = false, autoFocus = false, onChange, id, labelledBy, describedBy, invalid }: FieldProps & Ids) {
  const kind = kindOf(schema, value);
  const common = {
    id,
    disabled,
    autoFocus,
    "aria-invalid": invalid,
    "aria-required": required,
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
  };
  const text = typeof value === "string" ? value : "";
  const write = (next: string) => onChange(next === "" && !required ? undefined : next);
  switch (kind) {
    case "choice":
      return <Choice {...common} labelledBy={labelledBy} required={required} schema={schema} value={value} onChange={onChange} />;
    case "boolean":
      return <input {...common} type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />;
    case "number":
      return <NumberInput {...common} schema={schema} value={value} onChange={onChange} />;
    case "long":
      return <textarea {...common} rows={Math.min(12, Math.max(3, text.split("\n").length + 1))} value={text} onChange={({ target }) => write(target.value)} />;
    case "list":
      return <ListInput {...common} value={value} onChange={onChange} />;
    case "json":
    case "object":
      return <JsonInput {...common} value={value} onChange={onChange} />;
    default: {
      const type = kind === "secret" ? "password" : kind === "date" ? "date" : schema.format === "email" ? "email" : "text";
      return <input {...common} type={type} autoComplete={kind === "secret" ? "off" : undefined} value={text} onChange={({ target }) => write(target.value)} />;
    }
  }
}

/** What every control takes from the field around it. */
export interface Common {
  id: string;
  disabled: boolean;
  autoFocus: boolean;
  "aria-invalid": boolean;
  "aria-required": boolean;
  "aria-describedby"?: string;
}

function ListInput({ value, onChange, ...common }: Common & { value: unknown; onChange: (value: unknown) => void }) {
  const { onePerLine } = useMessages(formWords);
  const [text, setText] = useState(Array.isArray(value) ? value.join("\n") : "");
  const change = (next: string) => {
    setText(next);
    onChange(next.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
  };
  return <textarea {...common} rows={3} placeholder={onePerLine} value={text} onChange={({ target }) => change(target.value)} />;
}

function JsonInput({ value, onChange, ...common }: Common & { value: unknown; onChange: (value: unknown) => void }) {
  const { notJson } = useMessages(formWords);
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [broken, setBroken] = useState(false);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <>
      <textarea {...common} className="fs-mono" rows={5} spellCheck={false} value={text} onChange={({ target }) => change(target.value)} />
      {broken && <small className="fs-complaint">{notJson}</small>}
    </>
  );
}
