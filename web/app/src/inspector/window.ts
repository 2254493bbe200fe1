/** A window of its own for the inspector. */

/** Opens it; false where the browser does not let us. */
export function openWindow(path: string): boolean {
  const opened = window.open(path, "forestage-inspector", "popup,width=980,height=760");
  opened?.focus();
  return opened !== null;
}
