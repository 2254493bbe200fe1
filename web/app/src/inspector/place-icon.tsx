/** Pictures of the places: the page as a box, the inspector as the dark part. */
import type { Place } from "./settings.js";

const PARTS: Record<Place, string> = { side: "M13 5h7v14h-7z", bottom: "M4 13h16v6H4z", floating: "M10 9h8v7h-8z" };

export function PlaceIcon({ place }: { place: Place | "window" }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {place === "window" ? (
        <path className="line" d="M13 5h6v6M19 5l-8 8M10 6H5v13h13v-5" />
      ) : (
        <>
          <path className="line" d="M3.5 4.500h17v15h-17z" />
          <path className="part" d={PARTS[place]} />
        </>
      )}
    </svg>
  );
}
