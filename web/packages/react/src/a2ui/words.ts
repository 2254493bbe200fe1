/** What surfaces say beside what the agent says. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: {
    surface: "Screen",
    building: "A screen is being drawn…",
    retrying: (attempt: number, max: number) => `This could not be drawn; attempt ${attempt} of ${max}.`,
    failed: "This could not be drawn.",
    details: "Details",
    sending: "Sending…",
    sent: (name: string) => `Sent: ${name}`,
    refused: "This was refused",
    gone: "This screen was taken away.",
    did: (name: string, surface: string) => `Did “${name}” on ${surface}`,
    unknown: "Something was done on a screen",
  },
  nl: {
    surface: "Scherm",
    building: "Er wordt een scherm getekend…",
    retrying: (attempt: number, max: number) => `Dit kon niet worden getekend; poging ${attempt} van ${max}.`,
    failed: "Dit kon niet worden getekend.",
    details: "Details",
    sending: "Versturen…",
    sent: (name: string) => `Verstuurd: ${name}`,
    refused: "Dit is geweigerd",
    gone: "Dit scherm is weggehaald.",
    did: (name: string, surface: string) => `“${name}” gedaan op ${surface}`,
    unknown: "Er is iets op een scherm gedaan",
  },
});
