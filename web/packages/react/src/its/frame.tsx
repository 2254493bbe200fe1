/** What is around every component: what it is, what to do, and the buttons below. */
import { type ReactNode, useId } from "react";
import { useLocale } from "../i18n/index.js";
import type { ItsName } from "../generated/its.js";
import { Glyph } from "./glyph.js";
import { kinds } from "./kinds.js";
import { Prose } from "./prose.js";
import "./its.css";

export interface FrameProps {
  name: ItsName;
  phase: "streaming" | "live" | "answered" | "closed";
  /** What to do, as the agent says it. */
  headline?: string | undefined;
  /** How to do it, as we say it. */
  hint?: string | undefined;
  /** A word at the right, such as "Answered". */
  status?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}

export function Frame({ name, phase, headline, hint, status, children, footer }: FrameProps) {
  const id = useId();
  const locale = useLocale();
  const kind = kinds[name];
  const title = kind[locale];
  return (
    <section className="its" data-component={name} data-phase={phase} aria-labelledby={`${id}-title`} aria-busy={phase === "streaming"}>
      <header className="its-header">
        <span className="its-kind">
          <Glyph name={kind.glyph} />
          <span id={`${id}-title`}>{title}</span>
        </span>
        {status}
      </header>
      {headline !== undefined && headline !== "" && (
        <p className="its-headline" dir="auto">
          <Prose>{headline}</Prose>
        </p>
      )}
      {hint !== undefined && <p className="its-hint">{hint}</p>}
      {children !== undefined && <div className="its-body">{children}</div>}
      {footer !== undefined && footer !== false && <footer className="its-footer">{footer}</footer>}
    </section>
  );
}
