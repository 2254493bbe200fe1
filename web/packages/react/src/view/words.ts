/** What views say beside what the agent says. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: { view: "Form", save: "Save", sent: "Sent", change: "Edit", required: "required", missing: "Required", faulty: "Cannot show this view." },
  nl: { view: "Formulier", save: "Opslaan", sent: "Verstuurd", change: "Wijzigen", required: "verplicht", missing: "Verplicht", faulty: "Kan deze weergave niet tonen." },
});
