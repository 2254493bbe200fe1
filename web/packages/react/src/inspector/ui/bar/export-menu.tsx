/** The log as a file, redacted unless somebody asks for the words. */
import { useState } from "react";
import { Checkbox, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { useMessages } from "../../../i18n/index.js";
import { Button, Icon, IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { write } from "../../log/recording.js";
import { redacted } from "../../log/redact/index.js";
import { useInspected, useInspection } from "../../store/context.js";

export function ExportMenu() {
  const t = useMessages(words);
  const hasEvents = useInspected((state) => state.rows.length > 0);
  return (
    <DialogTrigger>
      <IconButton icon="share" size="sm" label={t.exportLog} isDisabled={!hasEvents} tooltip={false} />
      <Popover className="fi-popover" placement="bottom end">
        <Dialog className="fi-dialog" aria-label={t.exportTitle}>
          {({ close }) => <ExportForm onDone={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function ExportForm({ onDone }: { onDone: () => void }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const settings = useInspected((state) => state.settings);
  const runId = useInspected((state) => state.filter.runId);
  const [onlyRun, setOnlyRun] = useState(true);
  const save = () => {
    const { log, source } = inspection.store.getState();
    const chosen = log.entries.filter((entry) => !onlyRun || runId === null || entry.runId === runId);
    const events = chosen.map(({ event }) => event);
    const name = source.kind === "thread" ? source.threadId : source.name.replace(/(\.agui)?\.(jsonl?|sse|txt)$/, "");
    download(`${name}${settings.redact ? ".redacted" : ""}.agui.jsonl`, write(settings.redact ? redacted(events) : events));
    onDone();
  };
  return (
    <>
      <h3>{t.exportTitle}</h3>
      <Check isSelected={settings.redact} onChange={(redact) => inspection.set({ ...settings, redact })} label={t.redact} />
      <p className="fi-quiet">{t.redactHint}</p>
      {runId !== null && <Check isSelected={onlyRun} onChange={setOnlyRun} label={t.onlyShown} />}
      <p className="fi-quiet">{t.exportedAs}</p>
      <Button kind="primary" icon="down" onPress={save}>
        {t.download}
      </Button>
    </>
  );
}

function Check({ isSelected, onChange, label }: { isSelected: boolean; onChange: (isSelected: boolean) => void; label: string }) {
  return (
    <Checkbox className="fi-check" isSelected={isSelected} onChange={onChange}>
      <span className="fi-check-box">
        <Icon name="check" />
      </span>
      {label}
    </Checkbox>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
