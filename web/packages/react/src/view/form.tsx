/** A form of a view: its fields keep what is typed until it is sent, and say what is missing. */
import { useState } from "react";
import { FieldError, Form as AriaForm, Input, Label, NumberField, TextField } from "react-aria-components";
import { useMessages } from "../i18n/index.js";
import { Button, Icon } from "../ui/index.js";
import type { Field, Node } from "./read.js";
import { words } from "./words.js";

type FormNode = Extract<Node, { type: "form" }>;

export interface FormProps {
  form: FormNode;
  /** What was sent with it before. */
  before: Record<string, unknown> | undefined;
  isSending: boolean;
  isSent: boolean;
  isDisabled: boolean;
  onSubmit: (values: Record<string, unknown>) => void;
  /** Opens what was sent, to be corrected. */
  onChange?: () => void;
}

export function Form({ form, before, isSending, isSent, isDisabled, onSubmit, onChange }: FormProps) {
  const text = useMessages(words);
  const [values, setValues] = useState<Record<string, string | number | undefined>>(() => initial(form.fields, before));
  return (
    <AriaForm
      className="fs-view-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) onSubmit(valuesOf(form.fields, values));
      }}
    >
      {form.fields.map((field) => (
        <FieldInput key={field.name} field={field} value={values[field.name]} isDisabled={isDisabled} onChange={(value) => setValues({ ...values, [field.name]: value })} />
      ))}
      <div className="fs-view-buttons">
        {isSent ? (
          <>
            <p className="fs-view-sent" role="status">
              <Icon name="check" /> {text.sent}
            </p>
            {onChange !== undefined && (
              <Button kind="quiet" size="sm" icon="edit" onPress={onChange}>
                {text.change}
              </Button>
            )}
          </>
        ) : (
          <Button type="submit" kind="primary" busy={isSending} isDisabled={isDisabled && !isSending}>
            {form.submitLabel ?? text.save}
          </Button>
        )}
      </div>
    </AriaForm>
  );
}

interface FieldInputProps {
  field: Field;
  value: string | number | undefined;
  isDisabled: boolean;
  onChange: (value: string | number | undefined) => void;
}

function FieldInput({ field, value, isDisabled, onChange }: FieldInputProps) {
  const text = useMessages(words);
  const common = { className: "fs-view-field", name: field.name, isRequired: field.required ?? false, isDisabled };
  const label = (
    <Label dir="auto">
      {field.label}
      {field.required === true && <span className="fs-view-required"> ({text.required})</span>}
    </Label>
  );
  // The browser has words of its own for this, which differ from those of every other form here.
  const error = (
    <FieldError className="fs-view-error">{({ validationDetails, validationErrors }) => (validationDetails.valueMissing ? text.missing : validationErrors.join(" "))}</FieldError>
  );
  if (field.type === "field.number") {
    return (
      <NumberField {...common} value={typeof value === "number" ? value : Number.NaN} onChange={(number) => onChange(Number.isNaN(number) ? undefined : number)} formatOptions={{ useGrouping: false, maximumFractionDigits: 10 }}>
        {label}
        <Input />
        {error}
      </NumberField>
    );
  }
  return (
    <TextField {...common} value={typeof value === "string" ? value : ""} onChange={onChange}>
      {label}
      <Input dir="auto" />
      {error}
    </TextField>
  );
}

function initial(fields: Field[], before: Record<string, unknown> | undefined): Record<string, string | number | undefined> {
  return Object.fromEntries(
    fields.map((field) => {
      const sent = before?.[field.name];
      return [field.name, typeof sent === "string" || typeof sent === "number" ? sent : field.value];
    }),
  );
}

/** What was filled in. A field that nobody touched and that says nothing is left out. */
export function valuesOf(fields: Field[], values: Record<string, string | number | undefined>): Record<string, unknown> {
  const filled = fields.map((field): [string, unknown] => [field.name, values[field.name]]);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined && value !== ""));
}
