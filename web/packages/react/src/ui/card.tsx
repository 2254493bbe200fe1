/** A frame around something that belongs together. */
import type { ReactNode } from "react";
import "./card.css";

export interface CardProps {
  children: ReactNode;
  /** Its name, for those who do not see the frame. */
  label?: string;
  tone?: "plain" | "warn" | "bad" | "accent";
  className?: string;
}

export function Card({ children, label, tone = "plain", className = "" }: CardProps) {
  const named = label === undefined ? {} : { role: "group", "aria-label": label };
  return (
    <div className={`fs-card ${className}`} data-tone={tone} {...named}>
      {children}
    </div>
  );
}

/** A place that is being filled; `lines` says about how much is coming. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="fs-skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
