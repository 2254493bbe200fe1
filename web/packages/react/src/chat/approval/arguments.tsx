/** What is to be called, readable: names and values, and what somebody made of them. */
import { useLocale, useMessages } from "../../i18n/index.js";
import { amountText } from "../form/amount.js";
import { type Schema, choicesOf, labelOf } from "../form/schema.js";
import { askWords } from "./words.js";

export interface ArgumentsProps {
  args: unknown;
  /** What somebody made of them; differences are shown. */
  edited?: unknown;
  /** What they mean: titles, units, the names of choices. */
  schema?: Schema | undefined;
}

export function Arguments({ args, edited, schema }: ArgumentsProps) {
  const { nothing, edited: changed } = useMessages(askWords);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return <Value value={args} />;
  const after = (edited ?? args) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(args), ...Object.keys(after)])];
  if (names.length === 0) return <p className="fs-muted">{nothing}</p>;
  return (
    <dl className="fs-arguments">
      {names.map((name) => {
        const [old, now] = [(args as Record<string, unknown>)[name], after[name]];
        const about = schema?.properties?.[name];
        const same = JSON.stringify(old) === JSON.stringify(now);
        return (
          <div key={name}>
            <dt>{labelOf(name, about ?? {})}</dt>
            <dd>
              {same ? (
                <Value value={now} schema={about} />
              ) : (
                <>
                  <del>
                    <Value value={old} schema={about} />
                  </del>{" "}
                  <ins>
                    <span className="fs-visually-hidden">{changed}: </span>
                    <Value value={now} schema={about} />
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

function Value({ value, schema }: { value: unknown; schema?: Schema | undefined }) {
  const locale = useLocale();
  if (value === undefined) return <>–</>;
  const choice = schema === undefined ? undefined : choicesOf(schema).find((one) => JSON.stringify(one.value) === JSON.stringify(value));
  if (choice !== undefined) return <span className="fs-value">{choice.title}</span>;
  if (typeof value === "string") return <span className="fs-value">{value}</span>;
  if (typeof value === "number" && schema !== undefined) return <code>{amountText(value, schema, locale)}</code>;
  if (typeof value === "number" || typeof value === "boolean") return <code>{String(value)}</code>;
  return <pre className="fs-json">{JSON.stringify(value, null, 2)}</pre>;
}
