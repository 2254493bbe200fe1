/** What the frame around the inspector says. */
import { catalogue } from "@forestage/react/i18n";

export const words = catalogue({
  en: {
    inspector: "Inspector",
    place: "Position",
    side: "Dock to side",
    bottom: "Dock to bottom",
    floating: "Float",
    window: "Open in new window",
    resize: "Resize the inspector",
    move: "Move the inspector",
    loading: "Loading inspector…",
    off: "The inspector is disabled on this server.",
  },
  nl: {
    inspector: "Inspector",
    place: "Positie",
    side: "Vastzetten aan de zijkant",
    bottom: "Vastzetten onderaan",
    floating: "Zweven",
    window: "Openen in nieuw venster",
    resize: "Inspector vergroten of verkleinen",
    move: "Inspector verplaatsen",
    loading: "Inspector laden…",
    off: "De inspector is uitgeschakeld op deze server.",
  },
});
