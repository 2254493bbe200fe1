/** What forms say. */
import { catalogue } from "../../i18n/index.js";

export const formWords = catalogue({
  en: {
    missing: "Required",
    type: "Enter a valid number.",
    least: (limit: number) => `At least ${limit}.`,
    most: (limit: number) => `At most ${limit}.`,
    short: (limit: number) => `At least ${limit} characters.`,
    long: (limit: number) => `At most ${limit} characters.`,
    notJson: "Enter valid JSON.",
    choose: "Choose…",
    noChoice: "None",
    optional: "optional",
    onePerLine: "One per line.",
  },
  nl: {
    missing: "Verplicht",
    type: "Voer een geldig getal in.",
    least: (limit) => `Minstens ${limit}.`,
    most: (limit) => `Hoogstens ${limit}.`,
    short: (limit) => `Minstens ${limit} tekens.`,
    long: (limit) => `Hoogstens ${limit} tekens.`,
    notJson: "Voer geldige JSON in.",
    choose: "Kies…",
    noChoice: "Geen",
    optional: "optioneel",
    onePerLine: "Eén per regel.",
  },
});
