/** Copies a text, and says that it has. */
import { useEffect, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { IconButton } from "../ui/index.js";
import { words } from "./words.js";

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { copy, copied } = useMessages(words);
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const press = () => void navigator.clipboard.writeText(text).then(() => setDone(true));
  return <IconButton size="sm" icon={done ? "check" : "copy"} label={done ? copied : (label ?? copy)} onPress={press} />;
}
