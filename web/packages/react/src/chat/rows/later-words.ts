/** The words of a conversation that was sent back to an earlier point. */
import { catalogue } from "../../i18n/index.js";

export const laterWords = catalogue({
  en: { hidden: "Your next message starts a new branch. Later messages are saved.", show: "Show later messages" },
  nl: { hidden: "Je volgende bericht begint een nieuwe aftakking. Latere berichten zijn bewaard.", show: "Latere berichten tonen" },
});
