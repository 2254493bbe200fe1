/** Single keys on the inbox: J and K move, A approves, E edits, R rejects. They are letters while somebody types. */
import { type RefObject, useEffect } from "react";

const ACTIONS: Record<string, string> = { a: "approve", e: "edit", r: "reject" };

export function useInboxKeys(detail: RefObject<HTMLElement | null>, move: (step: number) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A key that is held down must not decide what it has not shown to anybody.
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const action = ACTIONS[key];
      if (key === "j" || key === "k") move(key === "j" ? 1 : -1);
      else if (action !== undefined) act(detail.current, action);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [detail, move]);
}

/** Presses the button; a form without that button is edited in its first field. */
function act(detail: HTMLElement | null, action: string): void {
  const button = detail?.querySelector<HTMLElement>(`[data-action="${action}"]`);
  if (button !== null && button !== undefined) button.click();
  else if (action === "edit") detail?.querySelector<HTMLElement>(".fs-answer :is(input, textarea, .fs-select-button)")?.focus();
}

/** Letters are for whoever has the focus: fields, lists that are typed into, menus and dialogs. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest("input, textarea, select, .fs-select, [role=listbox], [role=menu], [role=dialog]") !== null);
}
