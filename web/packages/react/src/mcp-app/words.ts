/** What is said around the pages of tools. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: {
    named: (title: string, server: string) => (server === "" ? title : `${title} (${server})`),
    loading: "Loading the page…",
    silent: "The page does not answer.",
    noPage: "The page is not kept on this server.",
    gone: "Nothing came of the call.",
    again: "Try again",
    rawResult: "What the tool answered",
    wantsToSay: (title: string) => `“${title}” wants to say this in your name:`,
    wantsToOpen: (title: string) => `“${title}” wants to open this link:`,
    send: "Send",
    edit: "Edit first",
    open: "Open the link",
    refuse: "No",
  },
  nl: {
    named: (title, server) => (server === "" ? title : `${title} (${server})`),
    loading: "De pagina wordt geladen…",
    silent: "De pagina antwoordt niet.",
    noPage: "De pagina wordt niet op deze server bewaard.",
    gone: "De aanroep heeft niets opgeleverd.",
    again: "Opnieuw proberen",
    rawResult: "Wat de tool antwoordde",
    wantsToSay: (title) => `“${title}” wil dit namens jou zeggen:`,
    wantsToOpen: (title) => `“${title}” wil deze link openen:`,
    send: "Versturen",
    edit: "Eerst bewerken",
    open: "Link openen",
    refuse: "Nee",
  },
});
