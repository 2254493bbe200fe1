/** Two halves with a bar between them that can be dragged, or moved with the arrow keys. */
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { useInspected, useInspection } from "../../store/context.js";
import "./split.css";

const LEAST = 0.15;
const MOST = 0.85;
const STEP = 0.04;

/** The second half takes no room where there is none. */
export function Split({ first, second }: { first: ReactNode; second: ReactNode }) {
  const t = useMessages(words);
  const inspection = useInspection();
  const settings = useInspected((state) => state.settings);
  const frame = useRef<HTMLDivElement>(null);

  const move = (split: number) => inspection.set({ ...settings, split: Math.min(Math.max(split, LEAST), MOST) });

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect();
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || box === undefined) return;
    const isStacked = getComputedStyle(event.currentTarget).cursor === "row-resize";
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const across = (event.clientX - box.left) / box.width;
    move(isStacked ? (event.clientY - box.top) / box.height : isMirrored ? 1 - across : across);
  };

  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const steps: Record<string, number> = { ArrowUp: -STEP, ArrowDown: STEP, ArrowLeft: isMirrored ? STEP : -STEP, ArrowRight: isMirrored ? -STEP : STEP };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(settings.split + step);
  };

  const isWhole = second === null;
  return (
    <div
      className="fi-split"
      ref={frame}
      data-whole={isWhole ? "" : undefined}
      style={{ "--fi-split": `${settings.split * 100}%` } as CSSProperties}
    >
      <div className="fi-split-first">{first}</div>
      {!isWhole && (
        <div
          className="fi-split-bar"
          role="separator"
          tabIndex={0}
          aria-label={t.resize}
          aria-valuenow={Math.round(settings.split * 100)}
          aria-valuemin={LEAST * 100}
          aria-valuemax={MOST * 100}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onKeyDown={key}
        />
      )}
      {!isWhole && <div className="fi-split-second">{second}</div>}
    </div>
  );
}
