/** Copies a text, and says that it did. */
import { useEffect, useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";

export function Copy({ text }: { text: () => string }) {
  const t = useMessages(words);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    void navigator.clipboard.writeText(text()).then(() => setIsCopied(true));
  };
  return <IconButton icon={isCopied ? "check" : "copy"} label={isCopied ? t.copied : t.copy} size="sm" onPress={copy} />;
}
