/** What changed, place by place: the way people read a diff. */
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import type { Change } from "../../log/diff.js";
import type { Json } from "../../log/json.js";
import "./diff-list.css";

/** More changes than this are counted, not shown. */
const MOST = 40;

const SIGNS = { added: "+", removed: "−", changed: "~" } as const;

export function DiffList({ changes }: { changes: readonly Change[] }) {
  const t = useMessages(words);
  if (changes.length === 0) return <p className="fi-quiet">{t.noChange}</p>;
  return (
    <ul className="fi-diff" dir="ltr">
      {changes.slice(0, MOST).map((change) => (
        <li key={change.path} data-kind={change.kind}>
          <span className="fi-diff-sign" aria-hidden="true">
            {SIGNS[change.kind]}
          </span>
          <span className="fi-diff-body">
            <span className="fi-visually-hidden">{t[change.kind]} </span>
            <code>{change.path === "" ? "/" : change.path}</code> <Before value={change.before} />
            <After value={change.after} />
          </span>
        </li>
      ))}
      {changes.length > MOST && <li className="fi-quiet">{t.more(changes.length - MOST)}</li>}
    </ul>
  );
}

function Before({ value }: { value: Json | undefined }) {
  return value === undefined ? null : <del>{short(value)}</del>;
}

function After({ value }: { value: Json | undefined }) {
  return value === undefined ? null : <ins>{short(value)}</ins>;
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
