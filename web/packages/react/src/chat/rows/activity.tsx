/** Something that goes on beside the words: a surface, a plan, or whatever an agent calls an activity. */
import type { ActivityMessage } from "@ag-ui/core";
import { Suspense } from "react";
import { useMessages } from "../../i18n/index.js";
import { activitySlot, componentOf } from "../../slots.js";
import { Icon, Skeleton } from "../../ui/index.js";
import { Arguments } from "../approval/arguments.js";
import { useScene } from "../context.js";
import { words } from "../words.js";
import { Plan, planOf } from "./plan.js";
import { Sources, sourcesOf } from "./sources.js";

export function ActivityRow({ message, latest }: { message: ActivityMessage; latest: boolean }) {
  const { slots, host, readOnly } = useScene();
  const { unknownActivity } = useMessages(words);
  const slot = activitySlot(slots, message.activityType);
  if (slot !== undefined) {
    const Drawn = componentOf(slot);
    return (
      <Suspense fallback={<Skeleton lines={5} />}>
        <Drawn message={message} host={host} readOnly={readOnly} latest={latest} />
      </Suspense>
    );
  }
  const sources = sourcesOf(message.activityType, message.content);
  if (sources !== undefined) return <Sources sources={sources} />;
  const plan = planOf(message.content);
  if (plan !== undefined) return <Plan steps={plan} />;
  return (
    <details className="fs-tool">
      <summary>
        <Icon name="gallery" />
        <span>{unknownActivity(message.activityType)}</span>
        <Icon name="chevron" className="fs-turn fs-mirror" />
      </summary>
      <div className="fs-tool-body">
        <Arguments args={message.content} />
      </div>
    </details>
  );
}
