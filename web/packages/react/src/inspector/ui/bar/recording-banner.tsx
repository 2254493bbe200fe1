/** Tells that this is a recording, and what can be done with it. */
import type { AgentInfo } from "@forestage/client";
import { useEffect, useId, useState } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import { useMessages } from "../../../i18n/index.js";
import { Button, Icon, Select } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { importThread } from "../../source/server.js";
import { useInspected, useInspection } from "../../store/context.js";
import { useHost } from "../host.js";

export function RecordingBanner({ threadId }: { threadId: string | null }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const source = useInspected((state) => state.source);
  if (source.kind !== "recording") return null;
  return (
    <div className="fi-banner">
      <Icon name="file" />
      <strong>{t.recordingOf(source.name)}</strong>
      <span className="fi-spring" />
      <DialogTrigger>
        <Button size="sm" icon="archive">
          {t.keep}
        </Button>
        <Popover className="fi-popover" placement="bottom end">
          <Dialog className="fi-dialog" aria-label={t.keep}>
            {({ close }) => <KeepForm onDone={close} />}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {threadId !== null && (
        <Button size="sm" kind="quiet" icon="back" onPress={() => inspection.openThread(threadId)}>
          {t.backToThread}
        </Button>
      )}
    </div>
  );
}

function KeepForm({ onDone }: { onDone: () => void }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const host = useHost();
  const [agents, setAgents] = useState<AgentInfo[]>([]);
  const [agent, setAgent] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    inspection.api.agents().then(setAgents, () => setAgents([]));
  }, [inspection]);
  const label = useId();
  const chosen = agent || agents[0]?.name;

  const keep = async (name: string) => {
    setIsBusy(true);
    try {
      const events = inspection.store.getState().log.entries.map(({ event }) => event);
      const thread = await importThread(inspection.api, crypto.randomUUID(), name, events);
      host.tell(t.kept);
      onDone();
      inspection.openThread(thread.id);
      host.onOpenThread?.(thread.id);
    } catch (error) {
      host.tell(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <div className="fi-field">
        <span id={label}>{t.keepAs}</span>
        <Select aria-labelledby={label} value={chosen} options={agents.map(({ name }) => ({ value: name, label: name }))} onChange={setAgent} />
      </div>
      <Button kind="primary" busy={isBusy} isDisabled={chosen === undefined} onPress={() => chosen !== undefined && void keep(chosen)}>
        {t.keep}
      </Button>
    </>
  );
}
