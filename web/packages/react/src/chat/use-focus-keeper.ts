/**
 * Keeps the keyboard where somebody works. What has the focus is often gone after an answer: its buttons give way to the
 * result. Browsers then put the focus on the page itself, and whoever cannot see is lost. This puts it on the next question,
 * or on what became of the answer.
 */
import { type RefObject, useEffect } from "react";

export function useFocusKeeper(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    let path: HTMLElement[] = [];
    const noted = ({ target }: FocusEvent) => {
      path = pathOf(target, element);
    };
    // Whoever goes elsewhere by themselves is not fetched back.
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) path = [];
    };
    const look = (records: MutationRecord[]) => {
      if (path[0] !== undefined && isLost() && records.some((record) => tookAway(record, path[0]))) keep(path, element);
    };
    // Removed, moved and disabled alike: each takes the focus away, and none tells anybody.
    const watch = new MutationObserver(look);
    watch.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
    element.addEventListener("focusin", noted);
    element.addEventListener("focusout", left);
    return () => {
      watch.disconnect();
      element.removeEventListener("focusin", noted);
      element.removeEventListener("focusout", left);
    };
  }, [container]);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** An element and everything around it, up to the container. */
function pathOf(target: EventTarget | null, container: HTMLElement): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = target instanceof HTMLElement ? target : null; at !== null && container.contains(at); at = at.parentElement) path.push(at);
  return path;
}

function tookAway({ type, target, removedNodes }: MutationRecord, element: HTMLElement | undefined): boolean {
  if (element === undefined) return false;
  return type === "attributes" ? target === element : [...removedNodes].some((node) => node.contains(element));
}

/** The question that is still open, the next one, or the nearest thing around what is gone. */
function keep(path: HTMLElement[], container: HTMLElement): void {
  const [lost] = path;
  if (lost !== undefined && lost.isConnected && !lost.matches(":disabled")) return lost.focus({ preventScroll: true });
  const own = path.find((element) => element.isConnected && element.matches(".fs-question"));
  const isOpen = own?.dataset["open"] === "true";
  const next = isOpen ? own : container.querySelector<HTMLElement>(".fs-question[data-open='true']");
  const place = next ?? own ?? resultIn(path) ?? container;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** The nearest element that is left, or the line of the tool call that it belongs to. */
function resultIn(path: HTMLElement[]): HTMLElement | undefined {
  const left = path.slice(1).find((element) => element.isConnected);
  return left?.closest("details")?.querySelector<HTMLElement>("summary") ?? left;
}
