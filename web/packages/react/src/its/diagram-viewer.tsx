/** A diagram: Mermaid, draw.io, or a picture. Those that are interactive let the learner choose a part of them. */
import { Suspense, lazy, useCallback, useEffect, useState } from "react";
import { useMessages } from "../i18n/index.js";
import { Badge, IconButton, Spinner } from "../ui/index.js";
import { Send } from "./footer.js";
import { Frame } from "./frame.js";
import { type Args, type Shown, given } from "./phase.js";
import { useIsShown } from "./picture.js";
import { SkipButton, itsTool } from "./tool.js";
import { words } from "./words.js";
import "./diagram-viewer.css";

const NAME = "its:render_diagram_viewer";

const Mermaid = lazy(async () => ({ default: (await import("./diagram-mermaid.js")).Mermaid }));
const Drawio = lazy(async () => ({ default: (await import("./diagram-drawio.js")).Drawio }));

/** What draws a source. */
export interface DrawingProps {
  source: string;
  /** It is drawn, and these of its parts have `data-node` and `data-label`. */
  onDrawn: (nodes: SVGElement[]) => void;
  onFail: (reason: string) => void;
}

export function DiagramViewer(shown: Shown<typeof NAME>) {
  const { args } = shown;
  const text = useMessages(words);
  const [node, setNode] = useState<{ id: string; label: string }>();
  const answer = given(shown);
  const isInteractive = args.interactive === true && args.diagram_type !== "image_url";
  const canChoose = isInteractive && shown.phase === "live" && !shown.isBusy;
  return (
    <Frame
      name={NAME}
      phase={shown.phase}
      hint={canChoose ? text.chooseNode : undefined}
      status={shown.phase === "answered" && <Badge>{answer?.node_id === undefined ? text.seen : text.answered}</Badge>}
      footer={
        shown.phase === "live" && (
          <>
            <Send
              isDisabled={shown.isBusy || (isInteractive && node === undefined)}
              isSending={shown.sending !== undefined}
              onPress={() =>
                shown.send({
                  diagram_id: args.diagram_id,
                  ...(isInteractive && node !== undefined ? { interaction_type: "node_click", node_id: node.id } : { interaction_type: "acknowledged" }),
                })
              }
            >
              {isInteractive ? (node === undefined ? text.send : `${text.send}: ${node.label}`) : text.continue}
            </Send>
            <SkipButton />
          </>
        )
      }
    >
      <Diagram args={args} chosen={answer?.node_id ?? node?.id} {...(canChoose && { onChoose: (id: string, label: string) => setNode({ id, label }) })} />
    </Frame>
  );
}

function Diagram({ args, chosen, onChoose }: { args: Args<typeof NAME>; chosen: string | undefined; onChoose?: (id: string, label: string) => void }) {
  const text = useMessages(words);
  const [zoom, setZoom] = useState(1);
  const [reason, setReason] = useState<string>();
  const [nodes, setNodes] = useState<SVGElement[]>();
  useEffect(() => setReason(undefined), [args.diagram_data, args.diagram_type]);
  const isChoice = onChoose !== undefined;
  const choose = useCallback((id: string, label: string) => onChoose?.(id, label), [isChoice]);
  useNodes(nodes, chosen, isChoice ? choose : undefined);
  if (reason !== undefined) return <Undrawn reason={reason} source={args.diagram_data} />;
  const drawing = { source: args.diagram_data, onDrawn: setNodes, onFail: setReason };
  const isPicture = args.diagram_type === "image_url";
  return (
    <figure className="its-diagram">
      <div className="its-diagram-tools">
        <IconButton icon="add" size="sm" label={text.zoomIn} isDisabled={zoom >= 3} onPress={() => setZoom(zoom + 0.5)} />
        <IconButton icon="redo" size="sm" label={text.fit} isDisabled={zoom === 1} onPress={() => setZoom(1)} />
      </div>
      <div className="its-diagram-scroll" tabIndex={0} role="group" aria-label={args.caption ?? text.diagram}>
        <div className="its-diagram-drawing" {...(!isChoice && !isPicture && { role: "img", "aria-label": args.caption ?? text.diagram })} style={{ zoom }}>
          <Suspense fallback={<Drawing />}>
            {args.diagram_type === "mermaid" && <Mermaid {...drawing} />}
            {args.diagram_type === "drawio_xml" && <Drawio {...drawing} />}
            {isPicture && <DiagramPicture url={args.diagram_data} alt={args.caption ?? text.diagram} />}
          </Suspense>
        </div>
      </div>
      {args.caption !== undefined && <figcaption dir="auto">{args.caption}</figcaption>}
    </figure>
  );
}

function Drawing() {
  const text = useMessages(words);
  return (
    <p className="its-note" role="status">
      <Spinner /> {text.drawing}
    </p>
  );
}

/** Lets nodes be chosen with the mouse and the keyboard, and marks the one that is. */
function useNodes(nodes: SVGElement[] | undefined, chosen: string | undefined, choose: ((id: string, label: string) => void) | undefined): void {
  useEffect(() => {
    if (nodes === undefined || choose === undefined) return;
    const act = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const node = event.currentTarget as SVGElement;
      choose(node.getAttribute("data-node") ?? "", node.getAttribute("data-label") ?? "");
    };
    for (const node of nodes) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "0");
      node.setAttribute("aria-label", node.getAttribute("data-label") ?? "");
      node.addEventListener("click", act);
      node.addEventListener("keydown", act);
    }
    return () => {
      for (const node of nodes) {
        for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
        node.removeEventListener("click", act);
        node.removeEventListener("keydown", act);
      }
    };
  }, [nodes, choose]);
  useEffect(() => {
    for (const node of nodes ?? []) {
      const isChosen = node.getAttribute("data-node") === chosen;
      node.toggleAttribute("data-chosen", isChosen);
      if (choose !== undefined) node.setAttribute("aria-pressed", String(isChosen));
      else node.removeAttribute("aria-pressed");
    }
  }, [nodes, chosen, choose]);
}

/** A picture of ours or of an origin that the server names, or where it can be found: nothing else is fetched without being asked. */
function DiagramPicture({ url, alt }: { url: string; alt: string }) {
  const text = useMessages(words);
  const isShown = useIsShown();
  if (isShown(url)) return <img src={url} alt={alt} referrerPolicy="no-referrer" />;
  const host = URL.canParse(url) ? new URL(url) : undefined;
  if (host === undefined || !/^https?:$/.test(host.protocol)) return <Undrawn reason={url.slice(0, 200)} source={url} />;
  return (
    <p className="its-elsewhere">
      {text.pictureElsewhere(host.host)}{" "}
      <a href={url} target="_blank" rel="noreferrer noopener">
        {text.openPicture}
      </a>
    </p>
  );
}

function Undrawn({ reason, source }: { reason: string; source: string }) {
  const text = useMessages(words);
  return (
    <div className="its-undrawn">
      <p role="alert">
        {text.notDrawn} <span className="its-note">{reason}</span>
      </p>
      <details>
        <summary>{text.source}</summary>
        <pre className="its-source" dir="ltr">
          {source}
        </pre>
      </details>
    </div>
  );
}

export const tool = itsTool(NAME, DiagramViewer);
