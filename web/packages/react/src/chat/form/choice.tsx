/** One of several values, by their titles. */
import { useMessages } from "../../i18n/index.js";
import { LazySelect } from "../../ui/index.js";
import type { Common } from "./input.js";
import { type Schema, choicesOf } from "./schema.js";
import { formWords } from "./words.js";

/** Choices go by their number, so this is none of them. */
const NOTHING = "nothing";

interface ChoiceProps extends Common {
  labelledBy: string;
  required: boolean;
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
}

export function Choice({ id, labelledBy, required, schema, value, onChange, disabled, autoFocus, ...aria }: ChoiceProps) {
  const { choose, noChoice } = useMessages(formWords);
  const choices = choicesOf(schema);
  const options = choices.map(({ title }, at) => ({ value: String(at), label: title }));
  const chosen = choices.findIndex((one) => JSON.stringify(one.value) === JSON.stringify(value));
  return (
    <LazySelect
      id={id}
      aria-labelledby={labelledBy}
      {...(aria["aria-describedby"] === undefined ? {} : { "aria-describedby": aria["aria-describedby"] })}
      placeholder={choose}
      options={required ? options : [{ value: NOTHING, label: noChoice }, ...options]}
      value={chosen < 0 ? undefined : String(chosen)}
      onChange={(next) => onChange(next === NOTHING ? undefined : choices[Number(next)]?.value)}
      isInvalid={aria["aria-invalid"]}
      isRequired={required}
      isDisabled={disabled}
      autoFocus={autoFocus}
    />
  );
}
