/** Text of an agent in a component: its lines are kept, and what stands between backticks is code. Nothing else is read. */
import { Fragment } from "react";

export function Prose({ children }: { children: string }) {
  const parts = children.split(/(`[^`\n]+`)/);
  return parts.map((part, at) => (
    <Fragment key={at}>{part.length > 2 && part.startsWith("`") ? <code>{part.slice(1, -1)}</code> : part}</Fragment>
  ));
}
