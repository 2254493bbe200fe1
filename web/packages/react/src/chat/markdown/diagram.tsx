/** A mermaid diagram in an answer. What is not one yet, or never will be, is shown as it is written. */
import { useEffect, useId, useState } from "react";

export function Diagram({ code }: { code: string }) {
  const id = `diagram-${useId().replaceAll(/\W/g, "")}`;
  const [svg, setSvg] = useState<string>();
  useEffect(() => {
    let wanted = true;
    void drawn(id, code).then((drawing) => wanted && setSvg(drawing));
    return () => {
      wanted = false;
    };
  }, [id, code]);
  if (svg === undefined) return <pre tabIndex={0}>{code}</pre>;
  // mermaid sanitises what it draws; as an image it could not run anything even if it did not.
  return <img className="fs-diagram" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={code} />;
}

async function drawn(id: string, code: string): Promise<string | undefined> {
  const { default: mermaid } = await import("mermaid");
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: dark ? "dark" : "neutral", htmlLabels: false, flowchart: { htmlLabels: false } });
  if ((await mermaid.parse(code, { suppressErrors: true })) === false) return undefined;
  return (await mermaid.render(id, code)).svg;
}
