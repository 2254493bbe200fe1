/**
 * The contract's mini renderer: a view as React elements, a pure function of its tree. All that ever leaves it is
 * `onSubmitForm`. Give it a view that `A2uiViewV1Schema` has accepted. The chat has more to say about a form that was sent,
 * and draws views with `ViewPanel`.
 */
import { useState } from "react";
import type { Field, Node, View } from "./read.js";
import "./view.css";

export interface A2uiRendererProps {
  view: View;
  /** A form was sent: its id, and what is filled in, numbers as numbers. */
  onSubmitForm: (formId: string, values: Record<string, unknown>) => void;
}

type OnSubmit = A2uiRendererProps["onSubmitForm"];

export function A2uiRenderer({ view, onSubmitForm }: A2uiRendererProps) {
  const { title } = view;
  return (
    <section className="fs-view" {...(title !== undefined && title !== "" && { "aria-label": title })}>
      {title !== undefined && title !== "" && <h3 dir="auto">{title}</h3>}
      {/* Another view begins anew, also where it looks like the one before. */}
      <NodeElement key={view.viewId} node={view.root} onSubmitForm={onSubmitForm} />
    </section>
  );
}

function NodeElement({ node, onSubmitForm }: { node: Node; onSubmitForm: OnSubmit }) {
  switch (node.type) {
    case "screen":
      return <div className="fs-view-screen">{children(node.children, onSubmitForm)}</div>;
    case "section":
      return (
        <section className="fs-view-section">
          {node.title !== undefined && node.title !== "" && <h4 dir="auto">{node.title}</h4>}
          {children(node.children, onSubmitForm)}
        </section>
      );
    case "text":
      return (
        <p className="fs-view-text" dir="auto">
          {node.text}
        </p>
      );
    case "form":
      return <FormElement key={node.id} form={node} onSubmitForm={onSubmitForm} />;
    default:
      return null;
  }
}

function children(nodes: Node[], onSubmitForm: OnSubmit): React.ReactNode {
  return nodes.map((node, at) => <NodeElement key={at} node={node} onSubmitForm={onSubmitForm} />);
}

function FormElement({ form, onSubmitForm }: { form: Extract<Node, { type: "form" }>; onSubmitForm: OnSubmit }) {
  const [values, setValues] = useState<Record<string, unknown>>(() => initialValues(form.fields));
  return (
    <form
      className="fs-view-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmitForm(form.id, values);
      }}
    >
      {form.fields.map((field) => (
        <FieldElement key={field.name} field={field} value={values[field.name]} onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))} />
      ))}
      <div className="fs-view-buttons">
        <button type="submit" className="fs-view-submit">
          {form.submitLabel ?? "Save"}
        </button>
      </div>
    </form>
  );
}

interface FieldElementProps {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
}

function FieldElement({ field, value, onChange }: FieldElementProps) {
  const isNumber = field.type === "field.number";
  if (!isNumber && field.type !== "field.text") return null;
  return (
    <label className="fs-view-field">
      <span dir="auto">{field.label}</span>
      <input
        className="fs-view-input"
        name={field.name}
        required={field.required ?? false}
        {...(isNumber ? { type: "number", step: "any" } : { dir: "auto" })}
        value={value === undefined ? "" : String(value)}
        onChange={({ target }) => onChange(isNumber ? numberOf(target.value) : target.value)}
      />
    </label>
  );
}

/** A number, or nothing where there is none. */
export function numberOf(text: string): number | undefined {
  const number = text === "" ? undefined : Number(text);
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}

/** Only fields that have a value say something at first. */
function initialValues(fields: Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]));
}
