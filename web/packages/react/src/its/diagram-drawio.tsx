/** A draw.io diagram, drawn by maxGraph to look at. */
import { useEffect, useRef } from "react";
import { readDrawio } from "./drawio-xml.js";
import { paletteOf, useTheme } from "./palette.js";
import type { DrawingProps } from "./diagram-viewer.js";

export function Drawio({ source, onDrawn, onFail }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    let isCurrent = true;
    let clear = () => {};
    const draw = async () => {
      const model = await readDrawio(source);
      const maxgraph = await import("@maxgraph/core");
      if (!isCurrent || place.current === null) return;
      clear = drawModel(maxgraph, place.current, model);
      onDrawn(nodesOf(place.current));
    };
    draw().catch((error: unknown) => isCurrent && onFail(error instanceof Error ? error.message : String(error)));
    return () => {
      isCurrent = false;
      clear();
    };
  }, [source, theme]);
  return <div className="its-drawio" ref={place} />;
}

type MaxGraph = typeof import("@maxgraph/core");

/** Draws a model and gives each vertex its id, for those who want to choose one. */
function drawModel({ Graph, ModelXmlSerializer, InternalEvent }: MaxGraph, place: HTMLElement, model: Element): () => void {
  place.replaceChildren();
  const graph = new Graph(place, undefined, []);
  InternalEvent.disableContextMenu(place);
  graph.setEnabled(false);
  graph.setPanning(false);
  graph.setTooltips(false);
  graph.setHtmlLabels(false);
  const colours = paletteOf(place);
  Object.assign(graph.getStylesheet().getDefaultVertexStyle(), { fillColor: colours.fill, strokeColor: colours.line, fontColor: colours.text, fontSize: 13 });
  Object.assign(graph.getStylesheet().getDefaultEdgeStyle(), { strokeColor: colours.line, fontColor: colours.text, rounded: true });
  // As text, since an element is taken for the document that it is in.
  new ModelXmlSerializer(graph.getDataModel()).import(new XMLSerializer().serializeToString(model));
  const svg = place.querySelector("svg");
  for (const cell of Object.values(graph.getDataModel().cells ?? {})) {
    const shape = graph.view.getState(cell)?.shape?.node;
    if (!cell.isVertex() || shape === undefined || cell.id === null) continue;
    shape.setAttribute("data-node", cell.id);
    shape.setAttribute("data-label", String(cell.value ?? ""));
  }
  fit(svg, graph.getGraphBounds());
  return () => {
    graph.destroy();
    place.replaceChildren();
  };
}

/** The drawing says how large it is, and the page how large it is shown. */
function fit(svg: SVGElement | null, bounds: { x: number; y: number; width: number; height: number }): void {
  const pad = 8;
  svg?.setAttribute("viewBox", `${bounds.x - pad} ${bounds.y - pad} ${bounds.width + 2 * pad} ${bounds.height + 2 * pad}`);
  svg?.removeAttribute("style");
  svg?.setAttribute("width", "100%");
  if (svg !== null) svg.style.maxWidth = `${Math.round(bounds.width + 2 * pad)}px`;
}

function nodesOf(place: HTMLElement): SVGElement[] {
  return [...place.querySelectorAll<SVGElement>("[data-node]")].filter((node) => node.getAttribute("data-label") !== "");
}
