/** Where a decision led: how the run stands that continued with it, and a link to that place in the conversation. */
import type { InterruptRecord, RunStatus } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { anchorOf } from "@forestage/react/chat";
import { useEffect, useState } from "react";
import { paths } from "../router.js";
import { api } from "../stage.js";
import { Link } from "../shell/link.js";
import { inboxWords } from "./words.js";

/** So often a run that is under way is looked at. */
const GLANCE = 1500;

export function Result({ record: { id, threadId, decision } }: { record: InterruptRecord }) {
  const words = useMessages(inboxWords);
  const status = useRunStatus(threadId, decision?.runId ?? null);
  return (
    <p className="inbox-result">
      {status !== undefined && <span>{words.runStatus(status)}</span>}
      <Link path={paths.thread(threadId, anchorOf(id))}>{words.openResult}</Link>
    </p>
  );
}

function useRunStatus(threadId: string, runId: string | null): RunStatus | undefined {
  const [status, setStatus] = useState<RunStatus>();
  useEffect(() => {
    if (runId === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const look = async () => {
      const run = await api.runOf(threadId, runId).catch(() => undefined);
      if (!wanted) return;
      setStatus(run?.status);
      if (run?.status === "running") timer = setTimeout(() => void look(), GLANCE);
    };
    void look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [threadId, runId]);
  return status;
}
