/** The keys that work on every page: ⌘K or Ctrl+K for the palette, `?` for the sheet of keys. */
import { useEffect, useState } from "react";
import { KeysSheet } from "./keys-sheet.js";
import { Palette } from "./palette.js";

export function Shortcuts() {
  const [open, setOpen] = useState<"palette" | "keys">();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPalette = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
      if (!isPalette && (event.key !== "?" || isWriting(event.target))) return;
      event.preventDefault();
      setOpen(isPalette ? "palette" : "keys");
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const close = () => setOpen(undefined);
  if (open === "palette") return <Palette onClose={close} />;
  return open === "keys" ? <KeysSheet onClose={close} /> : null;
}

/** Whoever writes a question mark means one. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select"));
}
