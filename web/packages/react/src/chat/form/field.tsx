/** One value of a form, asked for as its schema says. */
import { type ReactNode, useId, useState } from "react";
import { useMessages } from "../../i18n/index.js";
import { type Complaint, type Schema, kindOf, labelOf } from "./schema.js";
import { formWords } from "./words.js";
import "./form.css";

export interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  path: string;
  required: boolean;
  complaints: readonly Complaint[];
  disabled?: boolean;
  autoFocus?: boolean;
  onChange: (value: unknown) => void;
}

export function Field(props: FieldProps) {
  const { name, schema, value, path } = props;
  if (kindOf(schema, value) === "object") return <Members {...props} />;
  const complaint = props.complaints.find((one) => one.path === path);
  return (
    <Labelled name={name} schema={schema} required={props.required} complaint={complaint}>
      {(ids) => <Input {...props} {...ids} />}
    </Labelled>
  );
}

/** The members of an object, one below the other. */
export function Members({ name, schema, value, path, onChange, ...rest }: FieldProps) {
  const members = (value ?? {}) as Record<string, unknown>;
  const change = (member: string, next: unknown) => {
    const { [member]: _, ...others } = members;
    onChange(next === undefined ? others : { ...members, [member]: next });
  };
  const fields = Object.entries(schema.properties ?? {}).map(([member, one], at) => (
    <Field
      {...rest}
      key={member}
      name={member}
      schema={one}
      value={members[member]}
      path={`${path}/${member}`}
      required={schema.required?.includes(member) ?? false}
      autoFocus={(rest.autoFocus ?? false) && at === 0}
      onChange={(next) => change(member, next)}
    />
  ));
  if (path === "") return <div className="fs-form">{fields}</div>;
  return (
    <fieldset className="fs-form">
      <legend>{labelOf(name, schema)}</legend>
      {fields}
    </fieldset>
  );
}

interface Ids {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

interface LabelledProps {
  name: string;
  schema: Schema;
  required: boolean;
  complaint: Complaint | undefined;
  children: (ids: Ids) => ReactNode;
}

function Labelled({ name, schema, required, complaint, children }: LabelledProps) {
  const id = useId();
  const messages = useMessages(formWords);
  const hints = [schema.description !== undefined && `${id}-hint`, complaint !== undefined && `${id}-error`].filter((hint) => hint !== false);
  return (
    <div className="fs-field" data-kind={kindOf(schema)}>
      <label htmlFor={id}>
        {labelOf(name, schema)}
        {!required && <small> ({messages.optional})</small>}
      </label>
      {children({ id, describedBy: hints.length === 0 ? undefined : hints.join(" "), invalid: complaint !== undefined })}
      {schema.description !== undefined && <small id={`${id}-hint`}>{schema.description}</small>}
      {complaint !== undefined && (
        <small className="fs-complaint" id={`${id}-error`}>
          {textOf(complaint, messages)}
        </small>
      )}
    </div>
  );
}

function textOf({ kind, limit = 0, message }: Complaint, messages: ReturnType<typeof useMessages<(typeof formWords)["en"]>>): string {
  switch (kind) {
    case "least":
    case "most":
    case "short":
    case "long":
      return messages[kind](limit);
    case "type":
      return messages.type;
    case "missing":
      return messages.missing;
    default:
      return message ?? "";
  }
}

function Input({ schema, value, required, disabled = false, autoFocus = false, onChange, id, describedBy, invalid }: FieldProps & Ids) {
  const { choose } = useMessages(formWords);
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
      return (
        <select {...common} value={value === undefined ? "" : JSON.stringify(value)} onChange={({ target }) => onChange(target.value === "" ? undefined : JSON.parse(target.value))}>
          <option value="">{choose}</option>
          {schema.enum?.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {typeof one === "string" ? one : JSON.stringify(one)}
            </option>
          ))}
        </select>
      );
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

type Common = { id: string; disabled: boolean; autoFocus: boolean; "aria-invalid": boolean; "aria-required": boolean };

function NumberInput({ schema, value, onChange, ...common }: Common & { schema: Schema; value: unknown; onChange: (value: unknown) => void }) {
  // What is being typed is not always a number yet, such as "-" or "1.".
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const shown = typeof value === "number" && Number(text) !== value && !Number.isNaN(value) ? String(value) : text;
  return (
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
