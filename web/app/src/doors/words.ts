/** What the pages of the contracts say around what the agents say. */
import { catalogue } from "@forestage/react";

export const doorWords = catalogue({
  en: {
    coach: "Coach",
    tutor: "Tutor",
    message: "Message",
    send: "Send",
    connecting: "Connecting…",
    lost: "The connection is lost. It is tried again.",
    closed: "The connection is closed.",
    failed: (message: string) => `Error: ${message}`,
    working: (label: string) => `${label} …`,
    done: (label: string) => `${label}: done.`,
    notSent: "There is no connection. Nothing was sent.",
  },
  nl: {
    coach: "Coach",
    tutor: "Docent",
    message: "Bericht",
    send: "Verstuur",
    connecting: "Verbinden…",
    lost: "De verbinding is verbroken. Er wordt opnieuw verbonden.",
    closed: "De verbinding is gesloten.",
    failed: (message: string) => `Fout: ${message}`,
    working: (label: string) => `${label} …`,
    done: (label: string) => `${label}: klaar.`,
    notSent: "Er is geen verbinding. Er is niets verstuurd.",
  },
});
