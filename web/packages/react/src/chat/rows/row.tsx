/** One row of a conversation. */
import { memo } from "react";
import { QuestionCard } from "../approval/index.js";
import { useScene } from "../context.js";
import { Markdown } from "../markdown/index.js";
import type { Row as RowData } from "../session/index.js";
import { ActivityRow } from "./activity.js";
import { Calls } from "./calls.js";
import { EndRow } from "./end.js";
import { LaterRow } from "./later.js";
import { OutgoingRow } from "./outgoing.js";
import { Reasoning } from "./reasoning.js";
import { Subagent } from "./subagent.js";
import { UserRow } from "./user.js";
import { Working } from "./working.js";
import "./rows.css";

export const Row = memo(function Row({ row }: { row: RowData }) {
  switch (row.kind) {
    case "user":
      return <UserRow {...row} />;
    case "text":
      return (
        <div className="fs-said" id={row.message.id} data-testid="answer" data-streaming={row.streaming}>
          <Markdown text={row.message.content ?? ""} streaming={row.streaming} />
        </div>
      );
    case "reasoning":
      return <Reasoning {...row} />;
    case "calls":
      return <Calls calls={row.calls} />;
    case "activity":
      return <ActivityRow message={row.message} latest={row.latest} />;
    case "subagent":
      return <Subagent {...row} />;
    case "question":
      return <Question row={row} />;
    case "outgoing":
      return <OutgoingRow message={row.message} />;
    case "working":
      return <Working steps={row.steps} from={row.from} />;
    case "later":
      return <LaterRow run={row.run} />;
    case "end":
      return <EndRow {...row} />;
  }
}, isSameRow);

function Question({ row: { question } }: { row: Extract<RowData, { kind: "question" }> }) {
  const { api, user, session, isFrozen } = useScene();
  return (
    <div inert={isFrozen}>
      <QuestionCard record={question} api={api} user={user} onDecided={(record) => session.questionChanged(record)} grabsFocus={!isFrozen} />
    </div>
  );
}

/** Rows are made anew for every frame; what is in most of them is not. */
function isSameRow({ row: one }: { row: RowData }, { row: other }: { row: RowData }): boolean {
  if (one === other) return true;
  if (one.kind === "calls" || one.kind === "subagent" || one.kind === "working") return false;
  const names = Object.keys(one) as (keyof RowData)[];
  return names.length === Object.keys(other).length && names.every((name) => isSameMember(one[name], other[name]));
}

function isSameMember(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other);
}
