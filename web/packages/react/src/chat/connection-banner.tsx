/** Says that the connection is lost and when it will be tried again. A short loss is not worth a word. */
import type { TailStatus } from "@forestage/client";
import { useEffect, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Button, Spinner } from "../ui/index.js";
import { useNow } from "./approval/use-countdown.js";
import { words } from "./words.js";

const NOTICEABLE = 700;

export function ConnectionBanner({ status, onRetry }: { status: TailStatus; onRetry: () => void }) {
  const messages = useMessages(words);
  const lost = status.state === "waiting" || (status.state === "connecting" && status.attempt > 1);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return setShown(false);
    const timer = setTimeout(() => setShown(true), NOTICEABLE);
    return () => clearTimeout(timer);
  }, [lost]);
  const now = useNow(shown, 500);
  if (!lost || !shown) return null;
  const seconds = status.state === "waiting" ? Math.max(0, Math.ceil((status.at - now) / 1000)) : 0;
  return (
    <div className="fs-banner" role="status">
      <Spinner />
      <span>
        <strong>{seconds > 1 ? messages.reconnectIn(seconds) : messages.reconnecting}</strong> {messages.nothingLost}
      </span>
      <Button size="sm" onPress={onRetry}>
        {messages.tryNow}
      </Button>
    </div>
  );
}
