/**
 * draw.io files made fit to be drawn: unpacked, with plain text for labels, with shapes by the names that maxGraph has, and
 * without pictures from elsewhere.
 */

/** The first page of a file, as an `mxGraphModel` that asks for nothing and runs nothing. */
export async function readDrawio(source: string): Promise<Element> {
  const root = parse(source);
  const model = await modelOf(root);
  unwrapObjects(model);
  for (const cell of model.querySelectorAll("mxCell")) tame(cell);
  return model;
}

function parse(source: string): Element {
  const document = new DOMParser().parseFromString(source.trim(), "text/xml");
  const fault = document.querySelector("parsererror");
  if (fault !== null) throw new Error(fault.textContent?.split("\n")[0] ?? "not XML");
  return document.documentElement;
}

/** A file may be the model itself, hold it, or hold it packed. */
async function modelOf(root: Element): Promise<Element> {
  if (root.nodeName === "mxGraphModel") return root;
  const inside = root.querySelector("mxGraphModel");
  if (inside !== null) return inside;
  const packed = (root.nodeName === "diagram" ? root : root.querySelector("diagram"))?.textContent?.trim() ?? "";
  if (packed === "") throw new Error("there is no mxGraphModel");
  return parse(decodeURIComponent(await inflate(packed)));
}

async function inflate(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

/** Cells with properties are inside an object that has their id and label. */
function unwrapObjects(model: Element): void {
  for (const wrapper of [...model.querySelectorAll("UserObject, object")]) {
    const cell = wrapper.querySelector("mxCell");
    if (cell === null) continue;
    cell.setAttribute("id", wrapper.getAttribute("id") ?? "");
    cell.setAttribute("value", wrapper.getAttribute("label") ?? "");
    wrapper.replaceWith(cell);
  }
}

function tame(cell: Element): void {
  const value = cell.getAttribute("value");
  if (value !== null) cell.setAttribute("value", plain(value));
  const style = cell.getAttribute("style");
  if (style !== null) cell.setAttribute("style", tameStyle(style));
}

/** What a label says, without its markup. */
export function plain(label: string): string {
  if (!/[<&]/.test(label)) return label;
  const lines = label.replace(/<br\s*\/?>|<\/(div|p|li|h\d)>(?!$)/gi, "\n");
  return new DOMParser().parseFromString(lines, "text/html").body.textContent?.trim() ?? "";
}

/** Shapes that draw.io names by a word alone. */
const SHAPES = new Set(["ellipse", "rhombus", "triangle", "hexagon", "cylinder", "cloud", "actor", "swimlane", "line", "label"]);

/** Shapes that maxGraph calls otherwise, or not at all. */
const ALIASES: Record<string, string> = { cylinder3: "cylinder", umlActor: "actor", process: "rectangle", parallelogram: "rectangle", document: "rectangle" };

export function tameStyle(style: string): string {
  const parts = style.split(";").filter((part) => part !== "");
  return parts
    .flatMap((part) => {
      const [key = "", value] = split(part);
      if (value === undefined) return key === "text" ? ["strokeColor=none", "fillColor=none"] : SHAPES.has(key) ? [`shape=${key}`] : [];
      if (key === "html" || key === "link") return [];
      if (key === "image") return value.startsWith("data:image/") ? [part] : [];
      if (key === "shape") return SHAPES.has(value) || value in ALIASES || value === "rectangle" ? [`shape=${ALIASES[value] ?? value}`] : [];
      return [part];
    })
    .join(";");
}

function split(part: string): [string, string?] {
  const at = part.indexOf("=");
  return at < 0 ? [part] : [part.slice(0, at), part.slice(at + 1)];
}
