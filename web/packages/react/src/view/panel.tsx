/** A view: words and forms, drawn the same for the same view. A form sends once; what comes of it is the next view. */
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { reasonOf } from "../its/refusal.js";
import { isObject } from "../its/schema.js";
import { Form } from "./form.js";
import { type Action, type Node, readView } from "./read.js";
import { words } from "./words.js";
import "./view.css";

export interface ViewPanelProps {
  /** What was sent as a view. */
  view: unknown;
  /** What was sent with its forms before, by their ids. */
  acted?: Record<string, unknown> | undefined;
  /** Nothing can be done here. */
  readOnly?: boolean;
  /** Sends what somebody did; rejects where it is refused. */
  onAction: (action: Action) => Promise<void>;
}

export function ViewPanel({ view: value, acted, readOnly = false, onAction }: ViewPanelProps) {
  const text = useMessages(words);
  const { view, faults } = readView(value);
  const [sent, setSent] = useState<string>();
  const [changing, setChanging] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  // Another view begins anew.
  const written = JSON.stringify(value);
  const known = useRef(written);
  useEffect(() => {
    if (known.current === written) return;
    known.current = written;
    setSent(undefined);
    setChanging(undefined);
    setRefusal(undefined);
  }, [written]);
  if (view === undefined) {
    return (
      <section className="fs-view" data-faulty="" role="alert">
        <p>{text.faulty}</p>
        <ul>
          {faults.slice(0, 5).map((fault) => (
            <li key={fault.path}>
              <code>{fault.path === "" ? "/" : fault.path}</code> {fault.message}
            </li>
          ))}
        </ul>
      </section>
    );
  }
  const submit = (formId: string, values: Record<string, unknown>) => {
    setSending(true);
    setRefusal(undefined);
    setChanging(undefined);
    onAction({ kind: "a2ui.action.v1", viewId: view.viewId, action: { type: "form.submit", formId, values } })
      .then(() => setSent(formId), (error: unknown) => setRefusal(reasonOf(error)))
      .finally(() => setSending(false));
  };
  const draw = (node: Node, key: string): React.ReactNode => {
    switch (node.type) {
      case "screen":
        return (
          <div key={key} className="fs-view-screen">
            {node.children.map((child, at) => draw(child, String(at)))}
          </div>
        );
      case "section":
        return (
          <section key={key} className="fs-view-section">
            {node.title !== undefined && <h4 dir="auto">{node.title}</h4>}
            {node.children.map((child, at) => draw(child, String(at)))}
          </section>
        );
      case "text":
        return (
          <p key={key} className="fs-view-text" dir="auto">
            {node.text}
          </p>
        );
      case "form": {
        const before = acted?.[node.id];
        const isSent = (sent === node.id || before !== undefined) && changing !== node.id;
        return (
          <Form
            key={`${view.viewId}-${node.id}`}
            form={node}
            before={isObject(before) ? before : undefined}
            isSending={isSending}
            isSent={isSent}
            isDisabled={readOnly || isSending || isSent}
            onSubmit={(values) => submit(node.id, values)}
            {...(!readOnly && { onChange: () => setChanging(node.id) })}
          />
        );
      }
    }
  };
  return (
    <section className="fs-view" aria-label={view.title ?? text.view} aria-busy={isSending}>
      {view.title !== undefined && <h3 dir="auto">{view.title}</h3>}
      {draw(view.root, "root")}
      {refusal !== undefined && (
        <p className="fs-view-refusal" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}
