/** The inspector of a thread. */
import type { InspectorProps } from "../slots.js";

export function Inspector({ threadId }: InspectorProps) {
  return <section aria-label="Inspector">{threadId}</section>;
}
