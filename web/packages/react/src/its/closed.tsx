/** Components that nobody can answer: closed without an answer, or not understood. */
import type { ItsName } from "../generated/its.js";
import { useMessages } from "../i18n/index.js";
import { Badge } from "../ui/index.js";
import { Frame } from "./frame.js";
import { kinds } from "./kinds.js";
import { type Fault, isObject } from "./schema.js";
import { words } from "./words.js";

/** It was closed, or its answer cannot be read. */
export function Skipped({ name, args, reason }: { name: ItsName; args: unknown; reason: string }) {
  const { skipped } = useMessages(words);
  const member: string | undefined = kinds[name].headline;
  const headline = member !== undefined && isObject(args) ? args[member] : undefined;
  const shown = typeof headline === "string" ? headline : undefined;
  return (
    <Frame name={name} phase="closed" headline={shown} status={<Badge>{skipped}</Badge>}>
      <p className="its-reason">{reason}</p>
    </Frame>
  );
}

/** Its arguments are not what the component takes. */
export function Faulty({ name, faults, text }: { name: ItsName; faults: Fault[]; text: string }) {
  const { faulty } = useMessages(words);
  return (
    <Frame name={name} phase="closed" status={<Badge tone="bad">{faulty}</Badge>}>
      <ul className="its-faults">
        {faults.slice(0, 8).map((fault) => (
          <li key={fault.path}>
            <code>{fault.path === "" ? "/" : fault.path}</code> {fault.message}
          </li>
        ))}
      </ul>
      <details>
        <summary>JSON</summary>
        <pre className="its-source">{text}</pre>
      </details>
    </Frame>
  );
}
