/** The whole log at a glance: one column for every few events, in the colour of its family. */
import { useEffect, useRef } from "react";
import type { Entry } from "../../log/entry.js";
import { FAMILIES, type Family, familyOf } from "../../log/family.js";
import { useFindings, useInspected } from "../../store/context.js";

export function Minimap() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const log = useInspected((state) => state.log);
  const version = useInspected((state) => state.version);
  const position = useInspected((state) => state.position);
  const findings = useFindings();
  useEffect(() => {
    const element = canvas.current;
    if (element === null || version < 0) return undefined;
    const paint = () => draw(element, log.entries, position, new Set(findings.keys()));
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const media = matchMedia(DARK);
    media.addEventListener("change", paint);
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      observer.disconnect();
      theme.disconnect();
      media.removeEventListener("change", paint);
    };
  }, [log, version, position, findings]);
  return <canvas ref={canvas} className="fi-minimap" aria-hidden="true" />;
}

/** How tall the column of an event is: what frames a run stands out, deltas make the ground. */
function heightOf(type: string): number {
  if (/_(CONTENT|ARGS|CHUNK)$/.test(type)) return 0.45;
  return type.startsWith("RUN_") ? 1 : 0.75;
}

function draw(canvas: HTMLCanvasElement, entries: readonly Entry[], position: number | null, findings: ReadonlySet<number>): void {
  const scale = devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * scale);
  const height = Math.round(canvas.clientHeight * scale);
  const context = canvas.getContext("2d");
  if (context === null || width === 0 || entries.length === 0) return;
  canvas.width = width;
  canvas.height = height;
  const colours = coloursOf(canvas);
  const isMirrored = getComputedStyle(canvas).direction === "rtl";
  const column = Math.max(width / entries.length, 1);
  const step = Math.max(1, Math.floor(entries.length / width));
  for (let index = 0; index < entries.length; index += step) {
    const type = entries[index]?.event.type ?? "";
    const left = (index / entries.length) * width;
    const tall = heightOf(type) * height;
    context.globalAlpha = position !== null && index > position ? 0.22 : 1;
    context.fillStyle = colours[familyOf(type)];
    context.fillRect(isMirrored ? width - left - column : left, height - tall, Math.max(1, column - (column > 3 ? 1 : 0)), tall);
  }
  context.globalAlpha = 1;
  context.fillStyle = colours.error;
  for (const index of findings) {
    const left = ((index + 0.5) / entries.length) * width;
    context.beginPath();
    context.arc(isMirrored ? width - left : left, 3 * scale, 2.5 * scale, 0, Math.PI * 2);
    context.fill();
  }
}

/** The colours of the page, as it is shown now. Asking for them makes the browser stop and think, so it is done once per theme. */
function coloursOf(canvas: HTMLCanvasElement): Record<Family, string> {
  const theme = `${document.documentElement.dataset.theme} ${matchMedia(DARK).matches}`;
  const known = COLOURS.get(theme);
  if (known !== undefined) return known;
  const colours = Object.fromEntries(FAMILIES.map((family) => [family, colourOf(family, canvas)])) as Record<Family, string>;
  COLOURS.set(theme, colours);
  return colours;
}

/** Each has an element of its own: a colour that changes on one may be on its way from the last. */
function colourOf(family: Family, canvas: HTMLCanvasElement): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--fi-${family})`;
  canvas.parentElement?.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const DARK = "(prefers-color-scheme: dark)";
const COLOURS = new Map<string, Record<Family, string>>();
