/** Saving a conversation as a file, and saying so when it cannot be saved. */
import { type Api, ApiError } from "@forestage/client";
import { Button, useMessages } from "@forestage/react";
import { type ReactNode, useCallback, useState } from "react";
import { appWords } from "../words.js";
import { Framed } from "./dialogs.js";

/** Saves the log of a thread, one event on a line. Rejects unless all of it has come. */
export async function saveThread(api: Api, threadId: string, title: string): Promise<void> {
  const response = await api.fetch(`/v1/threads/${encodeURIComponent(threadId)}/events?format=jsonl`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.agui.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** What saves a thread, and the dialog that appears if that fails. */
export function useExport(api: Api, threadId: string, title: string): { save: () => void; dialog: ReactNode } {
  const [error, setError] = useState<unknown>();
  const save = useCallback(() => {
    setError(undefined);
    saveThread(api, threadId, title).catch(setError);
  }, [api, threadId, title]);
  const dialog = error === undefined ? null : <ExportFailed error={error} onRetry={save} onClose={() => setError(undefined)} />;
  return { save, dialog };
}

function ExportFailed({ error, onRetry, onClose }: { error: unknown; onRetry: () => void; onClose: () => void }) {
  const words = useMessages(appWords);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Framed label={words.exportFailed} role="alertdialog" onClose={onClose}>
      <p>{isGone ? words.exportGone : words.exportFailedWhy}</p>
      {!isGone && <p className="fs-complaint">{error instanceof Error ? error.message : String(error)}</p>}
      <div className="fs-actions">
        {!isGone && (
          <Button kind="primary" autoFocus onPress={onRetry}>
            {words.tryAgain}
          </Button>
        )}
        <Button kind="quiet" onPress={onClose}>
          {words.close}
        </Button>
      </div>
    </Framed>
  );
}
