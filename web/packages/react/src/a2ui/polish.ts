/** What is done to the elements of a surface after they have drawn themselves. Each may be done any number of times. */
import type { Props } from "./elements.js";

let count = 0;

/** An id for an element that has none. */
function idOf(element: Element): string {
  if (element.id === "") element.id = `fs-a2ui-${(count += 1)}`;
  return element.id;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Joins a field with its label and with what is wrong with it, which is said once it was touched. */
export function nameField(element: HTMLElement, props: Props): void {
  const input = element.querySelector<HTMLInputElement>("input, textarea");
  if (input === null) return;
  const label = element.querySelector<HTMLLabelElement>("label");
  if (label !== null && !label.contains(input)) label.htmlFor = idOf(input);
  const errors = [...element.querySelectorAll<HTMLElement>(".error")];
  for (const error of errors) error.setAttribute("role", "alert");
  input.setAttribute("aria-invalid", String(errors.length > 0 && element.hasAttribute("data-touched")));
  if (errors.length > 0) input.setAttribute("aria-describedby", errors.map(idOf).join(" "));
  else input.removeAttribute("aria-describedby");
  touch(element, input);
  if (textOf(props["label"]) === undefined && label === null) input.setAttribute("aria-label", "…");
}

/** Remembers that somebody was there. */
function touch(element: HTMLElement, input: HTMLElement): void {
  if (input.dataset["watched"] !== undefined) return;
  input.dataset["watched"] = "";
  const mark = () => {
    element.setAttribute("data-touched", "");
    if (element.querySelector(".error") !== null) input.setAttribute("aria-invalid", "true");
  };
  input.addEventListener("blur", mark);
  input.addEventListener("change", mark);
}

/** Choices are a group with a name. */
export function groupChoices(element: HTMLElement, props: Props): void {
  const group = element.querySelector(".a2ui-choice-picker");
  group?.setAttribute("role", group.querySelector("input[type=radio]") === null ? "group" : "radiogroup");
  const label = [...element.children].find((child) => child.localName === "label");
  if (label !== undefined) group?.setAttribute("aria-labelledby", idOf(label));
  else group?.setAttribute("aria-label", textOf(props["label"]) ?? "…");
}

/** A slider has the name of its label. One without is named by the text before it, or by how far it goes. */
export function nameSlider(element: HTMLElement): void {
  const input = element.querySelector("input");
  if (input === null) return;
  const label = element.querySelector(".a2ui-slider-label");
  const name = hasText(label) ? label : textBefore(element);
  if (name !== undefined) input.setAttribute("aria-labelledby", idOf(name));
  else input.setAttribute("aria-label", `${input.min || 0} – ${input.max || 100}`);
}

function hasText(element: Element | null | undefined): element is Element {
  return (element?.textContent ?? "").trim() !== "";
}

/** What stands before an element and can be read, where that is no control itself. */
function textBefore(element: Element): Element | undefined {
  const before = element.previousElementSibling;
  return hasText(before) && before.querySelector("input, button, select, textarea") === null ? before : undefined;
}

export function nameDates(element: HTMLElement, props: Props): void {
  const label = textOf(props["label"]) ?? "";
  const inputs = element.querySelectorAll("input");
  for (const input of inputs) {
    const part = inputs.length > 1 ? ` (${input.type})` : "";
    input.setAttribute("aria-label", `${label}${part}`.trim() || input.type);
  }
}

/** A button that cannot be pressed says why. */
export function nameButton(element: HTMLElement, props: Props): void {
  const button = element.querySelector("button");
  const errors = props["validationErrors"];
  const why = Array.isArray(errors) ? errors.filter((error) => typeof error === "string").join(" ") : "";
  if (why === "") button?.removeAttribute("title");
  else button?.setAttribute("title", why);
}

/** An icon is decoration unless it is described. */
export function hideIcon(element: HTMLElement, props: Props): void {
  const icon = element.firstElementChild;
  const label = accessibilityOf(props).label;
  if (label === undefined) icon?.setAttribute("aria-hidden", "true");
}

/** Tabs are tabs: one stop for the keyboard, arrows between them. */
export function reachTabs(element: HTMLElement): void {
  const tabs = [...element.querySelectorAll<HTMLElement>(":scope > .a2ui-tabs > .a2ui-tab-bar > button")];
  const panel = element.querySelector<HTMLElement>(":scope > .a2ui-tabs > .a2ui-tab-content");
  tabs[0]?.parentElement?.setAttribute("role", "tablist");
  for (const [at, tab] of tabs.entries()) {
    const isActive = tab.classList.contains("active");
    tab.setAttribute("type", "button");
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(isActive));
    tab.tabIndex = isActive ? 0 : -1;
    if (isActive) panel?.setAttribute("aria-labelledby", idOf(tab));
    tab.onkeydown = (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = step === 0 ? undefined : tabs[(at + step + tabs.length) % tabs.length];
      next?.click();
      next?.focus();
    };
  }
  panel?.setAttribute("role", "tabpanel");
  if (panel !== null) panel.tabIndex = 0;
}

/** What lies over the page has the keyboard until it is closed. */
export function keepModal(element: HTMLElement, props: Props): void {
  const dialog = element.querySelector<HTMLElement>("[role=dialog]");
  if (dialog === null || dialog.dataset["watched"] !== undefined) return;
  dialog.dataset["watched"] = "";
  if (!dialog.hasAttribute("aria-label")) dialog.setAttribute("aria-label", accessibilityOf(props).label ?? element.querySelector(".a2ui-modal-trigger")?.textContent?.trim() ?? "");
  const close = dialog.querySelector<HTMLElement>(".a2ui-modal-close");
  close?.focus();
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close?.click();
    if (event.key === "Tab") turn(dialog, event);
  });
}

/** Tab goes round inside. */
function turn(dialog: HTMLElement, event: KeyboardEvent): void {
  const stops = [...dialog.querySelectorAll<HTMLElement>("button, input, textarea, select, a[href], [tabindex='0']")];
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to?.focus();
}

function accessibilityOf(props: Props): { label: string | undefined; description: string | undefined } {
  const said = (props["accessibility"] ?? {}) as Props;
  return { label: textOf(said["label"]), description: textOf(said["description"]) };
}

/** Says what `accessibility` says, of the part that one uses or looks at. */
export function describe(element: HTMLElement, props: Props): void {
  const { label, description } = accessibilityOf(props);
  const part = element.querySelector("button, input, textarea, img, svg, i, video, audio") ?? element.firstElementChild;
  if (part === null) return;
  if (label !== undefined) {
    part.setAttribute("aria-label", label);
    part.removeAttribute("aria-labelledby");
    if (["i", "svg"].includes(part.localName)) part.setAttribute("role", "img");
  }
  if (description !== undefined) part.setAttribute("aria-description", description);
}
