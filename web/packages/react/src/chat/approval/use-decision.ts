/** Deciding a question once: while it is sent, when it is refused, and when somebody else was first. */
import { type Api, ApiError, type InterruptRecord, type Ruling, type Verdict } from "@forestage/client";
import { useState } from "react";
import { useMessages } from "../../i18n/index.js";
import type { Complaint } from "../form/schema.js";
import { askWords } from "./words.js";

export interface Deciding {
  busy: boolean;
  /** Why it was refused. */
  error: string | undefined;
  complaints: Complaint[];
  decide: (verdict: Verdict) => Promise<void>;
}

export function useDecision(record: InterruptRecord, api: Api, onDecided: (record: InterruptRecord) => void): Deciding {
  const { offline } = useMessages(askWords);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const decide = async (verdict: Verdict) => {
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      onDecided(ruled(await api.decide(record.id, record.threadId, verdict)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error);
      await refreshed(record, api, onDecided, error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error: refusal?.status === 0 ? offline : refusal?.message, complaints: complaintsOf(refusal), decide };
}

/** The record after a decision. The run that goes on is known before the record says so. */
function ruled({ interrupt, run }: Ruling): InterruptRecord {
  const { decision } = interrupt;
  return decision === null || run === null ? interrupt : { ...interrupt, decision: { ...decision, runId: decision.runId ?? run.runId } };
}

/** Where somebody was first, what they decided is shown in place of our question. */
async function refreshed(record: InterruptRecord, api: Api, onDecided: (record: InterruptRecord) => void, error: ApiError): Promise<void> {
  if (!["already_decided", "interrupt_expired", "abandoned_interrupt", "unknown_interrupt"].includes(error.code)) return;
  const { interrupts } = await api.interrupts({ thread: record.threadId, decided: true });
  const now = interrupts.find(({ id }) => id === record.id);
  if (now !== undefined) onDecided(now);
}

/** The server says where: `payload.editedArgs.amount` is the field `/amount` of the arguments. */
function complaintsOf(refusal: ApiError | undefined): Complaint[] {
  if (refusal?.path === undefined) return [];
  const path = refusal.path.replace(/^.*?(editedArgs|payload)\b/, "").replaceAll(/[.[\]]+/g, "/").replace(/\/$/, "");
  return [{ path: path.startsWith("/") || path === "" ? path : `/${path}`, kind: "server", message: refusal.message }];
}
