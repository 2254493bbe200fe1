/** What the inbox says around the requests. */
import { catalogue } from "@forestage/react";

export const inboxWords = catalogue({
  en: {
    waiting: "Waiting for a decision",
    back: "Back to the inbox",
    risk: "Risk",
    anyRisk: "All risks",
    noneOfRisk: "No request with this risk",
    choose: "Select a request to see it.",
    openResult: "Open the result",
    runStatus: (status: string) =>
      ({ running: "The agent is working on it.", success: "The agent finished.", interrupt: "The agent asked for something else.", cancelled: "The run was stopped.", error: "The run failed." })[status] ?? "",
    keys: "Keys",
    move: "move",
    approve: "approve",
    edit: "edit",
    reject: "reject",
    actAs: "Act as",
    secondPerson: (name: string) => `This demo has a second person. Switch to ${name} to approve as somebody else.`,
    switchTo: (name: string) => `Switch to ${name}`,
  },
  nl: {
    waiting: "Wacht op een besluit",
    back: "Terug naar het postvak",
    risk: "Risico",
    anyRisk: "Alle risico's",
    noneOfRisk: "Geen verzoek met dit risico",
    choose: "Kies een verzoek om het te bekijken.",
    openResult: "Resultaat openen",
    runStatus: (status) =>
      ({ running: "De agent is ermee bezig.", success: "De agent is klaar.", interrupt: "De agent heeft iets anders gevraagd.", cancelled: "De run is gestopt.", error: "De run is mislukt." })[status] ?? "",
    keys: "Toetsen",
    move: "bewegen",
    approve: "goedkeuren",
    edit: "aanpassen",
    reject: "afwijzen",
    actAs: "Handelen als",
    secondPerson: (name) => `Deze demo heeft een tweede persoon. Wissel naar ${name} om als iemand anders goed te keuren.`,
    switchTo: (name) => `Wisselen naar ${name}`,
  },
});
