/**
 * JSON that can be opened and closed, with what changed marked. Plain lists and disclosure buttons: every reader
 * knows them, by eye, by keyboard and by ear.
 */
import { useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { type Change, escaped, touched } from "../../log/diff.js";
import { isObject, type Json } from "../../log/json.js";
import "./json-tree.css";

export interface JsonTreeProps {
  value: Json;
  /** What the value is, for those who do not see it. */
  label: string;
  /** What is marked as changed. */
  changes?: readonly Change[];
  /** How deep it is open at first. */
  depth?: number;
}

/** More members than this are shown on demand. */
const PAGE = 60;
/** Longer texts are cut until somebody asks. */
const LONG = 400;

const NO_CHANGES: readonly Change[] = [];

export function JsonTree({ value, label, changes = NO_CHANGES, depth = 2 }: JsonTreeProps) {
  const marks: Marks = { kinds: new Map(changes.map(({ path, kind }) => [path, kind])), ways: touched(changes) };
  return (
    <div className="fi-json" role="group" aria-label={label} dir="ltr">
      <Node name={null} value={value} path="" depth={depth} marks={marks} />
    </div>
  );
}

interface Marks {
  kinds: ReadonlyMap<string, Change["kind"]>;
  ways: ReadonlySet<string>;
}

interface NodeProps {
  name: string | null;
  value: Json;
  path: string;
  depth: number;
  marks: Marks;
}

function Node(props: NodeProps) {
  const { value } = props;
  const isBranch = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
  return isBranch ? <Branch {...props} /> : <Leaf {...props} />;
}

function Leaf({ name, value, path, marks }: NodeProps) {
  return (
    <div className="fi-json-leaf" data-change={marks.kinds.get(path)}>
      <Name name={name} />
      <Scalar value={value} />
    </div>
  );
}

function Branch({ name, value, path, depth, marks }: NodeProps) {
  const t = useMessages(words);
  const [choice, setChoice] = useState<boolean | null>(null);
  const [pages, setPages] = useState(1);
  // What changed is always in sight, unless somebody closed it.
  const isOpen = choice ?? (depth > 0 || marks.ways.has(path));
  const isList = Array.isArray(value);
  const members = Object.entries(value as Record<string, Json>);
  const shown = members.slice(0, pages * PAGE);
  return (
    <div className="fi-json-branch" data-change={marks.kinds.get(path)}>
      <button type="button" className="fi-json-toggle" aria-expanded={isOpen} onClick={() => setChoice(!isOpen)}>
        <span className="fi-json-arrow" aria-hidden="true" />
        <Name name={name} />
        <span className="fi-json-brief">{isOpen ? (isList ? "[" : "{") : brief(value)}</span>
      </button>
      {isOpen && (
        <ul>
          {shown.map(([key, member]) => (
            <li key={key}>
              <Node name={isList ? null : key} value={member} path={`${path}/${escaped(key)}`} depth={depth - 1} marks={marks} />
            </li>
          ))}
          {members.length > shown.length && (
            <li>
              <button type="button" className="fi-json-more" onClick={() => setPages(pages + 1)}>
                {t.more(members.length - shown.length)}
              </button>
            </li>
          )}
        </ul>
      )}
      {isOpen && <span className="fi-json-close">{isList ? "]" : "}"}</span>}
    </div>
  );
}

function Name({ name }: { name: string | null }) {
  return name === null ? null : <span className="fi-json-name">{name}: </span>;
}

/** A value that has nothing inside. */
export function Scalar({ value }: { value: Json }) {
  const t = useMessages(words);
  const [isWhole, setIsWhole] = useState(false);
  if (typeof value !== "string") return <span className="fi-json-value" data-kind={kindOf(value)}>{JSON.stringify(value)}</span>;
  const isCut = value.length > LONG && !isWhole;
  return (
    <span className="fi-json-value" data-kind="string">
      {JSON.stringify(isCut ? value.slice(0, LONG) : value)}
      {isCut && (
        <button type="button" className="fi-json-more" onClick={() => setIsWhole(true)}>
          {t.more(value.length - LONG)}
        </button>
      )}
    </span>
  );
}

function kindOf(value: Json): string {
  return value === null ? "null" : typeof value;
}

/** A closed branch in a few words. */
export function brief(value: Json): string {
  const text = JSON.stringify(value);
  if (text.length <= 60) return text;
  const count = Array.isArray(value) ? value.length : Object.keys(value as object).length;
  return Array.isArray(value) ? `[ … ${count} ]` : `{ … ${count} }`;
}
