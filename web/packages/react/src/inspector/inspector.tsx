/**
 * The inspector of a thread: every event as it happens, state and messages as of any moment, runs, questions,
 * findings; recordings to replay. It follows the thread's log by itself and takes nothing from the chat.
 */
import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useMessages } from "../i18n/index.js";
import type { InspectorProps as SlotProps } from "../slots.js";
import { words } from "./i18n/messages.js";
import { InspectionProvider } from "./store/context.js";
import { Inspection } from "./store/inspection.js";
import { useReportMoment } from "./store/moment.js";
import { Header, type HeaderProps } from "./ui/bar/header.js";
import { useOpenFile } from "./ui/bar/import-button.js";
import { RecordingBanner } from "./ui/bar/recording-banner.js";
import { Scrubber } from "./ui/bar/scrubber.js";
import { HostContext } from "./ui/host.js";
import { Panes } from "./ui/panes/index.js";
import "./inspector.css";

export type InspectorProps = SlotProps & Pick<HeaderProps, "controls">;

export function Inspector({ threadId, api, mode, event, onClose, onOpenThread, onMoment, controls }: InspectorProps) {
  const t = useMessages(words);
  const inspection = useMemo(() => new Inspection(api, { kind: "thread", threadId }), [api, threadId]);
  useEffect(() => inspection.start(), [inspection]);
  useEffect(() => {
    if (event !== undefined) inspection.reveal(event);
  }, [inspection, event]);
  useReportMoment(inspection, onMoment);
  const [told, setTold] = useState("");
  const host = useMemo(() => ({ tell: setTold, onOpenThread }), [onOpenThread]);
  const forget = useCallback(() => setTold(""), []);
  return (
    <InspectionProvider inspection={inspection}>
      <HostContext value={host}>
        <DropTarget mode={mode} label={t.inspector}>
          <Header {...(onClose === undefined ? {} : { onClose })} controls={controls} />
          <RecordingBanner threadId={threadId} />
          <Panes />
          <Scrubber />
          <Toast text={told} onDone={forget} />
        </DropTarget>
      </HostContext>
    </InspectionProvider>
  );
}

/** The frame, onto which a recording can be dropped. */
function DropTarget({ mode, label, children }: { mode: SlotProps["mode"]; label: string; children: ReactNode }) {
  const t = useMessages(words);
  const open = useOpenFile();
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) void open(file);
  };
  return (
    <section className="fi" data-mode={mode} aria-label={label} onDragOver={over} onDragLeave={() => setIsOver(false)} onDrop={drop}>
      {children}
      {isOver && <div className="fi-drop">{t.dropHere}</div>}
    </section>
  );
}

/** Says something and is gone again. */
function Toast({ text, onDone }: { text: string; onDone: () => void }) {
  useEffect(() => {
    if (text === "") return undefined;
    const timer = setTimeout(onDone, 5000);
    return () => clearTimeout(timer);
  }, [text, onDone]);
  return (
    <div className="fi-toast" role="status" data-shown={text === "" ? undefined : ""}>
      {text}
    </div>
  );
}
