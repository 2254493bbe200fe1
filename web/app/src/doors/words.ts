/** What the pages of the contracts say around what the agents say. */
import { catalogue } from "@forestage/react";

export const doorWords = catalogue({
  en: {
    coach: "Coach",
    tutor: "Tutor",
    message: "Message",
    send: "Send",
    connecting: "Connecting…",
    lost: "Connection lost. Reconnecting…",
    closed: "Connection closed.",
    failed: (message: string) => `Error: ${message}`,
    working: (label: string) => `${label}…`,
    done: (label: string) => `${label}: done.`,
    notSent: "Not connected. Your message was not sent.",
  },
  nl: {
    coach: "Coach",
    tutor: "Docent",
    message: "Bericht",
    send: "Versturen",
    connecting: "Verbinden…",
    lost: "Verbinding verbroken. Opnieuw verbinden…",
    closed: "Verbinding gesloten.",
    failed: (message: string) => `Fout: ${message}`,
    working: (label: string) => `${label}…`,
    done: (label: string) => `${label}: klaar.`,
    notSent: "Niet verbonden. Je bericht is niet verstuurd.",
  },
});
