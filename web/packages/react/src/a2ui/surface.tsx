/** What an agent has drawn: its surfaces, or how far they are, and what became of what somebody did there. */
import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { reasonOf } from "../its/refusal.js";
import { Icon, Skeleton } from "../ui/index.js";
import { type Content, isGone, readContent } from "./content.js";
import { type Action, Screen, type Surface } from "./screen.js";
import { Stage } from "./stage.js";
import { words } from "./words.js";
import "@fontsource/material-symbols-outlined/400.css";
import "./a2ui.css";

export interface A2uiSurfaceProps {
  /** The content of the activity. */
  content: Record<string, unknown>;
  /** Nothing can be done here. */
  readOnly?: boolean;
  /** Sends what somebody did; rejects where it is refused. */
  onAction: (action: Action) => Promise<void>;
}

export function A2uiSurface({ content, readOnly = false, onAction }: A2uiSurfaceProps) {
  const read = readContent(content);
  if (read.kind !== "drawn") return <Progress content={read} />;
  return <Drawn operations={read.operations} readOnly={readOnly} onAction={onAction} />;
}

/** What became of the last thing that was done. */
type Outcome = { kind: "sending" | "sent"; name: string } | { kind: "refused"; reason: string };

function Drawn({ operations, readOnly, onAction }: { operations: unknown[]; readOnly: boolean; onAction: A2uiSurfaceProps["onAction"] }) {
  const text = useMessages(words);
  const [surfaces, setSurfaces] = useState<Surface[]>([]);
  const [fault, setFault] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const send = useRef<(action: Action) => void>(() => undefined);
  send.current = (action) => {
    if (readOnly || outcome?.kind === "sending") return;
    setOutcome({ kind: "sending", name: action.name });
    onAction(action).then(
      () => setOutcome({ kind: "sent", name: action.name }),
      (error: unknown) => setOutcome({ kind: "refused", reason: reasonOf(error) }),
    );
  };
  const screen = useRef<Screen>(undefined);
  useEffect(() => {
    screen.current ??= new Screen((action) => send.current(action));
    try {
      screen.current.update(operations);
      setFault(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setSurfaces(screen.current.surfaces);
  }, [operations]);
  if (operations.length === 0) return null;
  if (isGone(operations)) return <p className="fs-a2ui-note">{text.gone}</p>;
  const isDisabled = readOnly || outcome?.kind === "sending";
  return (
    <section className="fs-a2ui" aria-label={text.surface} aria-busy={outcome?.kind === "sending"}>
      {surfaces.map((surface) => (
        <Stage key={surface.id} surface={surface} isDisabled={isDisabled} />
      ))}
      {fault !== undefined && (
        <p className="fs-a2ui-note" data-tone="bad" role="alert">
          {text.failed} {fault}
        </p>
      )}
      {outcome !== undefined && <Told outcome={outcome} />}
    </section>
  );
}

function Told({ outcome }: { outcome: Outcome }) {
  const text = useMessages(words);
  if (outcome.kind === "refused") {
    return (
      <p className="fs-a2ui-note" data-tone="bad" role="alert">
        {text.refused}: {outcome.reason}
      </p>
    );
  }
  return (
    <p className="fs-a2ui-note" role="status">
      {outcome.kind === "sent" && <Icon name="check" />} {outcome.kind === "sent" ? text.sent(outcome.name) : text.sending}
    </p>
  );
}

/** How far a surface is that cannot be seen yet, or will not be. */
function Progress({ content }: { content: Exclude<Content, { kind: "drawn" }> }) {
  const text = useMessages(words);
  if (content.kind === "building") {
    return (
      <section className="fs-a2ui" aria-busy="true" aria-label={text.surface}>
        <p className="fs-a2ui-note" role="status">
          {text.building}
        </p>
        <Skeleton lines={4} />
      </section>
    );
  }
  const isOver = content.kind === "failed";
  return (
    <section className="fs-a2ui" aria-label={text.surface} aria-busy={!isOver}>
      <p className="fs-a2ui-note" data-tone={isOver ? "bad" : "warn"} role="status">
        {isOver ? text.failed : text.retrying(content.attempt, content.maxAttempts)} {content.kind === "failed" && content.error}
      </p>
      {content.errors.length > 0 && (
        <details className="fs-a2ui-details">
          <summary>{text.details}</summary>
          <ul>
            {content.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
