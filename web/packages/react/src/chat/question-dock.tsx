/** A question that has scrolled out of sight is not out of mind: a line above the composer leads back to it. */
import type { InterruptRecord } from "@forestage/client";
import { useEffect, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { askWords } from "./approval/index.js";

export function QuestionDock({ questions }: { questions: readonly InterruptRecord[] }) {
  const messages = useMessages(askWords);
  const open = questions.filter(({ decision }) => decision === null);
  const first = open[0]?.id;
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const card = cardOf(first);
    if (card === null) return setHidden(false);
    const watch = new IntersectionObserver(([entry]) => setHidden(entry?.isIntersecting === false));
    watch.observe(card);
    return () => watch.disconnect();
  }, [first]);
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
