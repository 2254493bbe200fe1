/** The conversation stands at an earlier point than it once did: says so, and leads to what came later. */
import { useMessages } from "../../i18n/index.js";
import { Button, Icon } from "../../ui/index.js";
import { useScene } from "../context.js";
import { laterWords } from "./later-words.js";
import "./later.css";

export function LaterRow({ run }: { run: string }) {
  const { session, isGuest, readOnly } = useScene();
  const messages = useMessages(laterWords);
  if (isGuest) return null;
  return (
    <div className="fs-later" role="note">
      <Icon name="branch" />
      <span>{messages.hidden}</span>
      <Button size="sm" isDisabled={readOnly} onPress={() => void session.switchTo(run)}>
        {messages.show}
      </Button>
    </div>
  );
}
