/** What is said around the pages of tools. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: {
    named: (title: string, server: string) => (server === "" ? title : `${title} (${server})`),
    loading: "Loading page…",
    silent: "The page does not respond.",
    noPage: "This server does not have the page.",
    gone: "The call returned no result.",
    again: "Try again",
    rawResult: "Tool result",
    wantsToSay: (title: string) => `“${title}” wants to send this message for you:`,
    wantsToOpen: (title: string) => `“${title}” wants to open this link:`,
    send: "Send",
    edit: "Edit first",
    open: "Open link",
    refuse: "Decline",
  },
  nl: {
    named: (title, server) => (server === "" ? title : `${title} (${server})`),
    loading: "Pagina laden…",
    silent: "De pagina reageert niet.",
    noPage: "Deze server heeft de pagina niet.",
    gone: "De aanroep gaf geen resultaat.",
    again: "Opnieuw proberen",
    rawResult: "Resultaat van de tool",
    wantsToSay: (title) => `“${title}” wil dit bericht namens jou versturen:`,
    wantsToOpen: (title) => `“${title}” wil deze link openen:`,
    send: "Versturen",
    edit: "Eerst bewerken",
    open: "Link openen",
    refuse: "Weigeren",
  },
});
