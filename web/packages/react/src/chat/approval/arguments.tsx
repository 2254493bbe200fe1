/** What is to be called, readable: names and values, and what somebody made of them. */
import { useMessages } from "../../i18n/index.js";
import { labelOf } from "../form/schema.js";
import { askWords } from "./words.js";

export function Arguments({ args, edited }: { args: unknown; edited?: unknown }) {
  const { nothing, edited: changed } = useMessages(askWords);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return <Value value={args} />;
  const after = (edited ?? args) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(args), ...Object.keys(after)])];
  if (names.length === 0) return <p className="fs-muted">{nothing}</p>;
  return (
    <dl className="fs-arguments">
      {names.map((name) => {
        const [old, now] = [(args as Record<string, unknown>)[name], after[name]];
        const same = JSON.stringify(old) === JSON.stringify(now);
        return (
          <div key={name}>
            <dt>{labelOf(name, {})}</dt>
            <dd>
              {same ? (
                <Value value={now} />
              ) : (
                <>
                  <del>
                    <Value value={old} />
                  </del>{" "}
                  <ins aria-label={changed}>
                    <Value value={now} />
                  </ins>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <>–</>;
  if (typeof value === "string") return <span className="fs-value">{value}</span>;
  if (typeof value === "number" || typeof value === "boolean") return <code>{String(value)}</code>;
  return <pre className="fs-json">{JSON.stringify(value, null, 2)}</pre>;
}
