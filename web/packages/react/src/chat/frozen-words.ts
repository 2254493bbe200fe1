/** The words around a conversation that is shown as of an earlier event. */
import { catalogue } from "../i18n/index.js";

export const frozenWords = catalogue({
  en: {
    frozen: "Earlier moment, not live",
    eventOf: (event: number, count: number) => `Event ${event} of ${count}`,
    toLive: "Return to live",
  },
  nl: {
    frozen: "Eerder moment, niet live",
    eventOf: (event, count) => `Gebeurtenis ${event} van ${count}`,
    toLive: "Terug naar live",
  },
});
