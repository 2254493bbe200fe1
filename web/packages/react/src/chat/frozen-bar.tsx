/** Says that the conversation is shown as of an earlier event, and leads back to the present. It stands where one writes. */
import { clock, useLocale, useMessages } from "../i18n/index.js";
import type { LogMoment } from "../slots.js";
import { Button, Icon } from "../ui/index.js";
import { frozenWords } from "./frozen-words.js";
import "./frozen-bar.css";

export function FrozenBar({ moment: { event, count, at, toLive } }: { moment: LogMoment }) {
  const messages = useMessages(frozenWords);
  const locale = useLocale();
  return (
    <div className="fs-frozen" role="group" aria-label={messages.frozen}>
      <Icon name="clock" />
      <p>
        <strong>{messages.frozen}</strong>
        <span>
          {messages.eventOf(event, count)} · <time dateTime={new Date(at).toISOString()}>{clock(at, Date.now(), locale)}</time>
        </span>
      </p>
      <Button size="sm" kind="primary" onPress={toLive}>
        {messages.toLive}
      </Button>
    </div>
  );
}
