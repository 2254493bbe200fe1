/** What the frame around the inspector says. */
import { catalogue } from "@forestage/react/i18n";

export const words = catalogue({
  en: {
    inspector: "Inspector",
    place: "Where it stands",
    side: "Dock at the side",
    bottom: "Dock at the bottom",
    floating: "Let it float",
    window: "Open in a window of its own",
    resize: "Resize the inspector",
    move: "Move the inspector",
    loading: "Opening the inspector…",
    off: "The inspector is turned off on this server.",
  },
  nl: {
    inspector: "Inspector",
    place: "Waar hij staat",
    side: "Aan de zijkant vastzetten",
    bottom: "Onderaan vastzetten",
    floating: "Laten zweven",
    window: "In een eigen venster openen",
    resize: "Inspector vergroten of verkleinen",
    move: "Inspector verplaatsen",
    loading: "Inspector wordt geopend…",
    off: "De inspector is op deze server uitgezet.",
  },
});
