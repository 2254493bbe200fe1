/** "Branch from here": the next message continues behind a run, or stands where a message does. */
import { useState } from "react";
import { useMessages } from "../../../i18n/index.js";
import { Button } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { useInspected, useInspection } from "../../store/context.js";
import { useHost } from "../host.js";

export function BranchButton({ point }: { point: { runId: string } | { messageId: string } }) {
  const t = useMessages(words);
  const { api } = useInspection();
  const host = useHost();
  const source = useInspected((state) => state.source);
  const [isBusy, setIsBusy] = useState(false);
  if (source.kind !== "thread") return null;
  const { threadId } = source;
  const branch = async () => {
    setIsBusy(true);
    try {
      await api.branch(threadId, point);
      host.tell(t.branched);
      host.onOpenThread?.(threadId);
    } catch (error) {
      host.tell(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button size="sm" kind="quiet" icon="branch" busy={isBusy} onPress={() => void branch()}>
      {t.branch}
    </Button>
  );
}
