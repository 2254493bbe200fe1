/** The head of the inspector: what is inspected, whether it is live, and what can be done with it. */
import type { ReactNode } from "react";
import { useMessages } from "../../../i18n/index.js";
import type { InspectorProps } from "../../../slots.js";
import { Icon, IconButton } from "../../../ui/index.js";
import { words } from "../../i18n/messages.js";
import { useInspected, useInspection } from "../../store/context.js";
import { PlayButton } from "../parts/play-button.js";
import { ExportMenu } from "./export-menu.js";
import { ImportButton } from "./import-button.js";

export interface HeaderProps extends Pick<InspectorProps, "onClose"> {
  /** More buttons, of the frame around the inspector. */
  controls?: ReactNode;
}

export function Header({ onClose, controls }: HeaderProps) {
  const t = useMessages(words);
  return (
    <header className="fi-head">
      <h2>
        <Icon name="inspect" />
        <span>{t.inspector}</span>
      </h2>
      <StatusDot />
      <span className="fi-spring" />
      <PauseButton />
      <ImportButton />
      <ExportMenu />
      {controls}
      {onClose !== undefined && <IconButton icon="close" size="sm" label={t.close} onPress={onClose} />}
    </header>
  );
}

function StatusDot() {
  const t = useMessages(words);
  const status = useInspected((state) => state.status);
  const isPaused = useInspected((state) => state.isPaused);
  const held = useInspected((state) => state.held);
  const isFrozen = useInspected(({ position, source }) => position !== null && source.kind === "thread");
  const shown = isPaused ? "paused" : isFrozen ? "frozen" : status;
  const text = `${t[shown]}${isPaused && held > 0 ? ` · ${t.held(held)}` : ""}`;
  return (
    <span className="fi-status" data-status={shown} role="status">
      {text}
    </span>
  );
}

function PauseButton() {
  const t = useMessages(words);
  const inspection = useInspection();
  const isPaused = useInspected((state) => state.isPaused);
  const source = useInspected((state) => state.source);
  if (source.kind === "recording") return null;
  return (
    <PlayButton kind="quiet" isPlaying={!isPaused} label={isPaused ? t.resume : t.pause} onPress={() => (isPaused ? inspection.goOn() : inspection.pause())} />
  );
}
