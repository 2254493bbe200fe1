/** What surfaces say beside what the agent says. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: {
    surface: "Screen",
    building: "Drawing screen…",
    retrying: (attempt: number, max: number) => `Cannot draw this screen. Retrying, attempt ${attempt} of ${max}.`,
    failed: "Cannot draw this screen.",
    details: "Details",
    sending: "Sending…",
    sent: (name: string) => `Sent: ${name}`,
    refused: "The server rejected this action",
    gone: "The agent removed this screen.",
    did: (name: string, surface: string) => `“${name}” on ${surface}`,
    unknown: "Action on a screen",
  },
  nl: {
    surface: "Scherm",
    building: "Scherm tekenen…",
    retrying: (attempt: number, max: number) => `Kan dit scherm niet tekenen. Poging ${attempt} van ${max}.`,
    failed: "Kan dit scherm niet tekenen.",
    details: "Details",
    sending: "Versturen…",
    sent: (name: string) => `Verstuurd: ${name}`,
    refused: "De server heeft deze actie geweigerd",
    gone: "De agent heeft dit scherm verwijderd.",
    did: (name: string, surface: string) => `“${name}” op ${surface}`,
    unknown: "Actie op een scherm",
  },
});
