/** Where the inspector stands: at the side, at the bottom, floating, or in a window of its own. */
import { useMessages } from "@forestage/react/i18n";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { PlaceIcon } from "./place-icon.js";
import type { Place } from "./settings.js";
import { words } from "./words.js";

export interface PlaceMenuProps {
  place: Place;
  onPlace: (place: Place) => void;
  onWindow: () => void;
}

const PLACES: readonly Place[] = ["side", "bottom", "floating"];

export function PlaceMenu({ place, onPlace, onWindow }: PlaceMenuProps) {
  const t = useMessages(words);
  return (
    <ToggleButtonGroup
      className="inspector-places"
      aria-label={t.place}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[place]}
      onSelectionChange={(keys) => {
        const chosen = PLACES.find((one) => keys.has(one));
        if (chosen !== undefined) onPlace(chosen);
        if (keys.has("window")) onWindow();
      }}
    >
      {[...PLACES, "window" as const].map((one) => (
        <ToggleButton key={one} id={one} className="inspector-place" aria-label={t[one]}>
          <PlaceIcon place={one} />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
