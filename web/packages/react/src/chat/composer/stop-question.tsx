/** Asks before Escape stops an answer that a queued message waits for: a key is pressed by accident more easily than a button. */
import { useId } from "react";
import { useMessages } from "../../i18n/index.js";
import { Button } from "../../ui/index.js";
import { words } from "../words.js";
import "./stop-question.css";

export function StopQuestion({ onStop, onKeep }: { onStop: () => void; onKeep: () => void }) {
  const messages = useMessages(words);
  const label = useId();
  return (
    <div className="fs-stop-question" role="alertdialog" aria-labelledby={label} onKeyDown={({ key }) => key === "Escape" && onKeep()}>
      <p id={label}>{messages.stopQuestion}</p>
      <Button size="sm" kind="primary" autoFocus onPress={onStop}>
        {messages.stopAnyway}
      </Button>
      <Button size="sm" onPress={onKeep}>
        {messages.keepGoing}
      </Button>
    </div>
  );
}
