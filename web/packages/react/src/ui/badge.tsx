/** A word about something: its risk, its status. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.js";
import "./badge.css";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad" | "info";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className="fs-badge" data-tone={tone}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
