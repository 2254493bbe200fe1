/** A surface in a chat: what is done there begins a run. */
import type { ActivitySlotProps } from "../slots.js";
import { A2uiSurface } from "./surface.js";

export function SurfaceActivity({ message, host, readOnly }: ActivitySlotProps) {
  return (
    <A2uiSurface
      content={message.content as Record<string, unknown>}
      readOnly={readOnly}
      onAction={(userAction) => host.act({ a2uiAction: { userAction } })}
    />
  );
}
