/** A Mermaid diagram. Mermaid is strict here: no scripts, no links, and labels without markup of their own. */
import { useEffect, useId, useRef } from "react";
import { type Palette, paletteOf, useTheme } from "./palette.js";
import type { DrawingProps } from "./diagram-viewer.js";

export function Mermaid({ source, onDrawn, onFail }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const id = `mermaid${useId().replaceAll(/\W/g, "")}`;
  const theme = useTheme();
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const within = place.current ?? document.body;
      const svg = await render(id, source, paletteOf(within), theme === "dark", getComputedStyle(within).fontFamily);
      if (!isCurrent || place.current === null) return;
      place.current.innerHTML = svg;
      onDrawn(nodesOf(place.current));
    };
    draw().catch((error: unknown) => isCurrent && onFail(error instanceof Error ? error.message : String(error)));
    return () => {
      isCurrent = false;
    };
  }, [source, theme]);
  return <div className="its-mermaid" ref={place} />;
}

/** One at a time: Mermaid has one configuration for all diagrams. */
let queue: Promise<unknown> = Promise.resolve();

function render(id: string, source: string, palette: Palette, isDark: boolean, fontFamily: string): Promise<string> {
  const mine = queue.then(async () => {
    const { default: mermaid } = await import("mermaid");
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      suppressErrorRendering: true,
      theme: "base",
      themeVariables: variables(palette, isDark),
      fontFamily,
      // For all kinds of diagrams: what is said of flowcharts alone is not heard any more.
      htmlLabels: false,
    });
    const { svg } = await mermaid.render(id, source);
    return svg;
  });
  queue = mine.catch(() => undefined);
  return mine;
}

function variables(palette: Palette, darkMode: boolean): Record<string, string | boolean> {
  return {
    darkMode,
    background: palette.ground,
    primaryColor: palette.fill,
    primaryTextColor: palette.text,
    primaryBorderColor: palette.accent,
    secondaryColor: palette.ground,
    tertiaryColor: palette.ground,
    lineColor: palette.muted,
    textColor: palette.text,
  };
}

/** The nodes that can be chosen, each with the id that its source gives it. */
function nodesOf(place: HTMLElement): SVGElement[] {
  return [...place.querySelectorAll<SVGElement>("g.node")].flatMap((node) => {
    const id = node.getAttribute("data-id") ?? /(?:^|-)flowchart-(.+)-\d+$/.exec(node.id)?.[1];
    if (id === undefined) return [];
    node.setAttribute("data-node", id);
    node.setAttribute("data-label", node.textContent?.trim() ?? id);
    return [node];
  });
}
