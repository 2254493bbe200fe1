/** JSON to change, and what is wrong with it. What is right goes out at once; what is not stays until it is. */
import { Suspense, lazy, useEffect, useId, useState } from "react";
import type { Fault } from "@forestage/react/its";

const Editor = lazy(async () => ({ default: (await import("@forestage/react/code")).Editor }));

export interface JsonFieldProps {
  label: string;
  value: unknown;
  /** What is wrong with a value that parses. */
  check: (value: unknown) => Fault[];
  onChange: (value: unknown) => void;
}

export function JsonField({ label, value, check, onChange }: JsonFieldProps) {
  const id = useId();
  const [text, setText] = useState(() => pretty(value));
  useEffect(() => setText((known) => (same(known, value) ? known : pretty(value))), [value]);
  const { faults } = read(text, check);
  const change = (next: string) => {
    setText(next);
    const { parsed, faults } = read(next, check);
    if (faults.length === 0) onChange(parsed);
  };
  return (
    <div className="gallery-json">
      <span className="gallery-label" id={id}>
        {label}
      </span>
      <Suspense fallback={<pre className="gallery-plain">{text}</pre>}>
        <Editor value={text} language="json" label={label} onChange={change} />
      </Suspense>
      <ul className="gallery-faults" aria-live="polite">
        {faults.slice(0, 5).map((fault) => (
          <li key={fault.path + fault.message}>
            {fault.path !== "" && <code>{fault.path}</code>} {fault.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function same(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function read(text: string, check: (value: unknown) => Fault[]): { parsed: unknown; faults: Fault[] } {
  try {
    const parsed: unknown = JSON.parse(text);
    return { parsed, faults: check(parsed) };
  } catch (error) {
    return { parsed: undefined, faults: [{ path: "", message: error instanceof Error ? error.message : String(error) }] };
  }
}
