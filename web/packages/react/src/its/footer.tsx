/** The button that sends an answer, and what it says when that is done. */
import type { ReactNode } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { words } from "./words.js";

export interface SendProps {
  /** What stands on it. */
  children?: ReactNode;
  isDisabled?: boolean;
  isSending: boolean;
  onPress: () => void;
}

export function Send({ children, isDisabled = false, isSending, onPress }: SendProps) {
  const { send, sending } = useMessages(words);
  return (
    <Button kind="primary" busy={isSending} isDisabled={isDisabled && !isSending} onPress={onPress}>
      {isSending ? sending : (children ?? send)}
    </Button>
  );
}
