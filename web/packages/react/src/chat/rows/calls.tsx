/** Tool calls: what draws them, a question about them, or a card. Calls that were made together stand together. */
import { Suspense, useMemo } from "react";
import { componentOf, toolSlot } from "../../slots.js";
import { Skeleton } from "../../ui/index.js";
import { QuestionCard } from "../approval/index.js";
import { useScene } from "../context.js";
import type { CallRow } from "../session/index.js";
import { ToolCard } from "./tool-card.js";

export function Calls({ calls }: { calls: CallRow[] }) {
  const { slots } = useScene();
  const shown = calls.filter(({ call }) => toolSlot(slots, call.name)?.hidden !== true);
  if (shown.length === 0) return null;
  return (
    <div className="fs-calls" data-together={shown.length > 1}>
      {shown.map((row) => (
        <Call key={row.call.id} row={row} />
      ))}
    </div>
  );
}

function Call({ row }: { row: CallRow }) {
  const { slots, host, readOnly, api, user, session, isFrozen } = useScene();
  const { call, question } = row;
  const slot = toolSlot(slots, call.name);
  const Drawn = slot === undefined ? undefined : componentOf(slot);
  const asked = useMemo(() => (call.phase === "streaming" ? undefined : { name: call.name, args: call.args }), [call]);
  const inside =
    Drawn === undefined ? undefined : (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Drawn call={call} host={host} readOnly={readOnly} />
      </Suspense>
    );
  return (
    <>
      {inside === undefined || slot?.frame === "card" ? <ToolCard row={row}>{inside}</ToolCard> : inside}
      {question !== undefined && (
        <div inert={isFrozen}>
          <QuestionCard record={question} call={asked} api={api} user={user} onDecided={(record) => session.questionChanged(record)} grabsFocus={!isFrozen} />
        </div>
      )}
    </>
  );
}
