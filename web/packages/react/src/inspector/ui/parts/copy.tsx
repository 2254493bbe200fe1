/** Copies a text, and says that it did. */
import { useEffect, useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { IconButton, type IconName } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";

export interface CopyProps {
  text: () => string;
  /** What is copied, where that is not what stands beside the button. */
  label?: string;
  icon?: IconName;
}

export function Copy({ text, label, icon = "copy" }: CopyProps) {
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
  return <IconButton icon={isCopied ? "check" : icon} label={isCopied ? t.copied : (label ?? t.copy)} size="sm" onPress={copy} />;
}
