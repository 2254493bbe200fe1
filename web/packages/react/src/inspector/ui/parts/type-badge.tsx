/** The type of an event: its family as a badge in a colour of its own, and what happened. Readers hear the type itself. */
import { familyOf } from "../../log/family.js";
import { nameOf } from "../../log/name.js";

export function TypeBadge({ type }: { type: string }) {
  const { family, verb } = nameOf(type);
  return (
    <span className="fi-type" data-family={familyOf(type)} title={type} dir="ltr">
      <span className="fi-visually-hidden">{type}</span>
      <span className="fi-type-family" aria-hidden="true">
        {family}
      </span>
      {verb !== "" && (
        <span className="fi-type-verb" aria-hidden="true">
          {verb}
        </span>
      )}
    </span>
  );
}
