/** A number, with its currency or unit beside it where the schema names one. */
import { useState } from "react";
import { useLocale } from "../../i18n/index.js";
import { symbolOf, unitOf } from "./amount.js";
import type { Common } from "./input.js";
import type { Schema } from "./schema.js";

interface NumberInputProps extends Common {
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
}

export function NumberInput({ schema, value, onChange, ...common }: NumberInputProps) {
  const locale = useLocale();
  // What is being typed is not always a number yet, such as "-" or "1.".
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const shown = typeof value === "number" && Number(text) !== value && !Number.isNaN(value) ? String(value) : text;
  const unit = unitOf(schema);
  const input = (
    <input
      {...common}
      type="text"
      inputMode={schema.type === "integer" ? "numeric" : "decimal"}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value.trim() === "" ? undefined : Number(target.value.replace(",", ".")));
      }}
    />
  );
  if (unit === undefined) return input;
  // What is read out is the label and the digits; the label's description says the unit where it matters.
  return (
    <span className="fs-amount" data-currency={unit.isCurrency}>
      <span className="fs-unit">{unit.isCurrency ? symbolOf(unit.name, locale) : unit.name}</span>
      {input}
    </span>
  );
}
