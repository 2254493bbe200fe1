/** A question that has scrolled out of sight is not out of mind: a line above the composer leads back to it. */
import type { InterruptRecord } from "@forestage/client";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { askWords } from "./approval/index.js";

export function QuestionDock({ questions }: { questions: readonly InterruptRecord[] }) {
  const messages = useMessages(askWords);
  const open = questions.filter(({ decision }) => decision === null);
  const first = open[0]?.id;
  const [hidden, setHidden] = useState(false);
  const watched = useRef<HTMLElement>(null);
  // A card may be drawn anew in another place, so what is watched is looked for each time.
  useEffect(() => {
    const card = cardOf(first);
    if (card === watched.current) return;
    watched.current = card;
    setHidden(false);
    if (card === null) return;
    const watch = new IntersectionObserver(([entry]) => {
      if (watched.current === card) setHidden(entry?.isIntersecting === false && card.isConnected);
      else watch.disconnect();
    });
    watch.observe(card);
  });
  if (!hidden || first === undefined) return null;
  const show = () => {
    const card = cardOf(first);
    card?.scrollIntoView({ block: "center" });
    card?.focus({ preventScroll: true });
  };
  return (
    <Button className="fs-dock" icon="shield" onPress={show}>
      {messages.waiting(open.length)}
    </Button>
  );
}

function cardOf(id: string | undefined): HTMLElement | null {
  return id === undefined ? null : document.querySelector<HTMLElement>(`[data-question="${CSS.escape(id)}"]`);
}
