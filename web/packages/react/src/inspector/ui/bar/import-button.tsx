/** Opens a recording: picked, or dropped anywhere on the inspector. */
import { FileTrigger } from "react-aria-components";
import { useMessages } from "../../../i18n/index.js";
import { IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { read, RecordingError } from "../../log/recording.js";
import { useInspection } from "../../store/context.js";
import { useHost } from "../host.js";

export function ImportButton() {
  const t = useMessages(words);
  const open = useOpenFile();
  return (
    <FileTrigger
      acceptedFileTypes={[".jsonl", ".json", ".ndjson", ".sse", ".txt"]}
      onSelect={(files) => {
        const file = files?.[0];
        if (file !== undefined) void open(file);
      }}
    >
      <IconButton icon="file" size="sm" label={t.importFile} />
    </FileTrigger>
  );
}

/** Shows the recording in a file, or says what is wrong with it. */
export function useOpenFile(): (file: File) => Promise<void> {
  const t = useMessages(words);
  const inspection = useInspection();
  const host = useHost();
  return async (file) => {
    try {
      inspection.open(file.name, read(await file.text()));
    } catch (error) {
      host.tell(error instanceof RecordingError ? wordsFor(error, t) : String(error));
    }
  };
}

function wordsFor({ code, place }: RecordingError, t: { badEmpty: string; badJson: (place: number) => string; badEvent: (place: number) => string }): string {
  return code === "empty" ? t.badEmpty : code === "not_json" ? t.badJson(place) : t.badEvent(place);
}
