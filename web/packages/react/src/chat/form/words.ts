/** What forms say. */
import { catalogue } from "../../i18n/index.js";

export const formWords = catalogue({
  en: {
    missing: "This is needed.",
    type: "This is not a number of that kind.",
    least: (limit: number) => `At least ${limit}.`,
    most: (limit: number) => `At most ${limit}.`,
    short: (limit: number) => `At least ${limit} characters.`,
    long: (limit: number) => `At most ${limit} characters.`,
    notJson: "This is not JSON.",
    choose: "Choose…",
    optional: "optional",
    onePerLine: "One on each line.",
  },
  nl: {
    missing: "Dit is nodig.",
    type: "Dit is niet zo'n getal.",
    least: (limit) => `Minstens ${limit}.`,
    most: (limit) => `Hoogstens ${limit}.`,
    short: (limit) => `Minstens ${limit} tekens.`,
    long: (limit) => `Hoogstens ${limit} tekens.`,
    notJson: "Dit is geen JSON.",
    choose: "Kies…",
    optional: "niet verplicht",
    onePerLine: "Eén per regel.",
  },
});
