/** What somebody did on a surface, where it stands in the conversation: said as it was, for whoever reads it later. */
import { useMessages } from "../i18n/index.js";
import { isObject } from "../its/schema.js";
import type { ToolSlotProps } from "../slots.js";
import { Icon } from "../ui/index.js";
import { words } from "./words.js";
import "./a2ui.css";

export function ActedNote({ call }: ToolSlotProps) {
  const text = useMessages(words);
  const action = isObject(call.args) ? call.args : {};
  const { name, surfaceId, context } = action;
  const said = typeof name === "string" && typeof surfaceId === "string" ? text.did(name, surfaceId) : text.unknown;
  const values = isObject(context) ? Object.entries(context) : [];
  return (
    <p className="fs-a2ui-acted">
      <Icon name="check" />
      <span>{said}</span>
      {values.map(([key, value]) => (
        <span key={key} className="fs-a2ui-value">
          {key}: <b>{typeof value === "string" ? value : JSON.stringify(value)}</b>
        </span>
      ))}
    </p>
  );
}
