/** One value of a form, asked for as its schema says. */
import { type ReactNode, useId } from "react";
import { useMessages } from "../../i18n/index.js";
import { type Ids, Input } from "./input.js";
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
      // The name is a hint as good as a title: a body is a text of several lines.
      schema={{ ...one, title: labelOf(member, one) }}
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
      <label htmlFor={id} id={`${id}-label`}>
        {labelOf(name, schema)}
        {!required && <small> ({messages.optional})</small>}
      </label>
      {children({ id, labelledBy: `${id}-label`, describedBy: hints.length === 0 ? undefined : hints.join(" "), invalid: complaint !== undefined })}
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
