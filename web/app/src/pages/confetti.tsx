/** A good reason to smile: an agent may throw confetti. Nobody who asked for less motion gets any. */
import type { Session } from "@forestage/react/chat";
import { useEffect, useState } from "react";
import "./confetti.css";

const COLOURS = ["#9c2f45", "#e0a526", "#2f7d5b", "#2f6fb0", "#c35b8a"];

export function Confetti({ session }: { session: Session }) {
  const [pieces, setPieces] = useState(0);
  useEffect(
    () =>
      session.onCustom((name, value) => {
        if (name !== "confetti" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const wanted = Number((value as { pieces?: unknown } | null)?.pieces ?? 40);
        setPieces(Math.min(Number.isFinite(wanted) ? wanted : 40, 120));
        setTimeout(() => setPieces(0), 3000);
      }),
    [session],
  );
  return (
    <div className="confetti" aria-hidden="true">
      {Array.from({ length: pieces }, (_, at) => (
        <i key={at} style={{ left: `${(at * 61) % 100}%`, background: COLOURS[at % COLOURS.length], animationDelay: `${(at * 37) % 600}ms`, rotate: `${(at * 47) % 360}deg` }} />
      ))}
    </div>
  );
}
