/** The message that a form is sent with, as people read it: what was filled in. */
import { useMessages } from "../i18n/index.js";
import { isObject } from "../its/schema.js";
import { Icon } from "../ui/index.js";
import { words } from "./words.js";
import "./view.css";

/** What such a message says; the rest is in what comes along. */
export const ACTION_MESSAGE = "A2UI_ACTION";

/** What was filled in, as the server keeps it with the message. */
export function sentValues(metadata: unknown): Record<string, unknown> {
  const path = ["forestage", "turn", "context", "ui", "a2uiAction", "action", "values"];
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), metadata);
  return isObject(found) ? found : {};
}

export function SentForm({ metadata }: { metadata: unknown }) {
  const text = useMessages(words);
  return (
    <p className="fs-view-note">
      <Icon name="check" />
      <span>{text.form}</span>
      {filled(sentValues(metadata)).map(([name, value]) => (
        <span key={name}>
          {name}: <b>{String(value)}</b>
        </span>
      ))}
    </p>
  );
}

function filled(values: Record<string, unknown>): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== "");
}
