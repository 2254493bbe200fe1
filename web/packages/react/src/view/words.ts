/** What views say beside what the agent says. */
import { catalogue } from "../i18n/index.js";

export const words = catalogue({
  en: { view: "Form", save: "Save", sent: "Sent", change: "Change it", required: "required", faulty: "This view cannot be shown." },
  nl: { view: "Formulier", save: "Opslaan", sent: "Verstuurd", change: "Wijzigen", required: "verplicht", faulty: "Deze weergave kan niet worden getoond." },
});
