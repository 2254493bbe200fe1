/** The type of an event in the colour of its family. */
import { familyOf } from "../../log/family.js";

export function TypeBadge({ type }: { type: string }) {
  return (
    <span className="fi-type" data-family={familyOf(type)} title={type} dir="ltr">
      {type}
    </span>
  );
}
