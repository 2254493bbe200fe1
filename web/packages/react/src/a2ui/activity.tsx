/** A surface in a chat: what is done there begins a run. One that is a view is drawn as what it is. */
import { Suspense, lazy } from "react";
import { isObject } from "../its/schema.js";
import type { ActivitySlotProps } from "../slots.js";
import { Skeleton } from "../ui/index.js";
import { A2uiSurface } from "./surface.js";

const ViewActivity = lazy(async () => ({ default: (await import("../view/activity.js")).ViewActivity }));

export function SurfaceActivity(props: ActivitySlotProps) {
  const { message, host, readOnly } = props;
  const content = message.content as Record<string, unknown>;
  if ("view" in content) {
    // A view that was closed leaves nothing.
    if (!isObject(content["view"])) return null;
    return (
      <Suspense fallback={<Skeleton lines={5} />}>
        <ViewActivity {...props} />
      </Suspense>
    );
  }
  return <A2uiSurface content={content} readOnly={readOnly} onAction={(userAction) => host.act({ a2uiAction: { userAction } })} />;
}
