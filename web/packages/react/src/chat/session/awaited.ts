/**
 * Runs whose result somebody waits for. One that has to ask a person first has none; then it is the result of the run that
 * goes on with the answer, whoever gave it and wherever.
 */
import type { BaseEvent } from "@ag-ui/core";
import { framesOf } from "@forestage/client";

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Finished {
  runId?: string;
  result?: unknown;
  message?: string;
  outcome?: { type?: string; interrupts?: { id: string }[] };
  input?: { resume?: { interruptId: string }[] };
}

export class Awaited {
  private readonly runs = new Map<string, Waiting>();
  private readonly questions = new Map<string, Waiting>();
  /** The run under way: errors do not name theirs. */
  private current: string | undefined;

  result(runId: string): Promise<unknown> {
    return new Promise((resolve, reject) => this.runs.set(runId, { resolve, reject }));
  }

  /** The run has not even begun. */
  failed(runId: string, error: Error): void {
    this.take(runId)?.reject(error);
  }

  /** Hears a run by itself, since whoever began it may not follow the thread yet. If that is cut off, the thread tells the rest. */
  async listen(runId: string, body: ReadableStream<Uint8Array> | null): Promise<void> {
    if (body === null) return;
    try {
      for await (const { data } of framesOf(body)) {
        const event = JSON.parse(data) as BaseEvent & Finished;
        if (event.type === "RUN_ERROR") this.failed(runId, new Error(event.message));
        else if (event.type === "RUN_FINISHED") this.heard(event);
      }
    } catch {
      // It goes on without us.
    }
  }

  heard(event: BaseEvent): void {
    const { runId, result, message, outcome, input } = event as BaseEvent & Finished;
    if (event.type === "RUN_STARTED") {
      this.current = runId;
      this.goesOn(runId ?? "", input?.resume ?? []);
    } else if (event.type === "RUN_ERROR") {
      this.take(this.current)?.reject(new Error(message ?? "the run failed"));
    } else if (event.type === "RUN_FINISHED") {
      const waiting = this.take(runId);
      if (waiting === undefined) return;
      if (outcome?.type === "interrupt") for (const { id } of outcome.interrupts ?? []) this.questions.set(id, waiting);
      else if (outcome?.type === "cancelled") waiting.reject(new Error("the run was stopped"));
      else waiting.resolve(result);
    }
  }

  private goesOn(runId: string, answers: { interruptId: string }[]): void {
    for (const { interruptId } of answers) {
      const waiting = this.questions.get(interruptId);
      this.questions.delete(interruptId);
      if (waiting !== undefined) this.runs.set(runId, waiting);
    }
  }

  private take(runId: string | undefined): Waiting | undefined {
    const waiting = this.runs.get(runId ?? "");
    this.runs.delete(runId ?? "");
    return waiting;
  }
}
