/** What is on the page, part by part: every word, every state and every address, and nothing of how it is made. */

/** What is told of a part, in this order. Ids that are made up as it is drawn are not among them. */
const TOLD = ["role", "aria-label", "aria-busy", "aria-pressed", "aria-disabled", "aria-readonly", "aria-valuenow", "aria-valuetext", "aria-valuemin", "aria-valuemax", "data-phase", "data-component", "data-kind", "data-layout", "data-font", "data-tone", "data-verdict", "data-selected", "data-chosen", "data-changed", "data-achieved", "data-current", "data-over", "data-drop", "data-open", "data-hue", "data-segments", "data-empty", "data-disabled", "data-outside-month", "data-state", "type", "min", "max", "step", "placeholder", "src", "alt", "href", "rel", "d", "points", "stroke-dasharray"];

/** Parts that only hold others are left out where nothing is told of them. */
const SILENT = new Set(["div", "span", "header", "footer", "g", "template"]);

export function outline(root: Element): string {
  return [...root.children].flatMap((part) => lines(part, 0)).join("\n") + "\n";
}

function lines(part: Element, depth: number): string[] {
  const tag = part.tagName.toLowerCase();
  // What the editor is made of is not ours; what stands in it is.
  if (part.classList.contains("cm-editor")) return [...part.querySelectorAll(".cm-line")].map((line) => `${"  ".repeat(depth)}code ${JSON.stringify(line.textContent)}`);
  if (part.classList.contains("fs-code")) return [`${"  ".repeat(depth)}code ${JSON.stringify(part.textContent)}`];
  const told = facts(part);
  // A part with nothing in it is there to be seen.
  const isSilent = SILENT.has(tag) && told === "" && part.childNodes.length > 0 && words(part).length === 0;
  const inner = [...part.childNodes].flatMap((node) => {
    const deeper = isSilent ? depth : depth + 1;
    if (node.nodeType === 3) return node.textContent === "" ? [] : [`${"  ".repeat(deeper)}${JSON.stringify(node.textContent)}`];
    return node.nodeType === 1 ? lines(node as Element, deeper) : [];
  });
  if (isSilent) return inner;
  const head = `${"  ".repeat(depth)}${tag}${told}`;
  // One word, or one line of them, stands beside what it is in.
  return inner.length === 1 && inner[0]!.trimStart().startsWith('"') ? [`${head} ${inner[0]!.trimStart()}`] : [head, ...inner];
}

function words(part: Element): string[] {
  return [...part.childNodes].filter((node) => node.nodeType === 3 && node.textContent !== "").map((node) => node.textContent ?? "");
}

function facts(part: Element): string {
  const named = TOLD.filter((name) => part.hasAttribute(name)).map((name) => `${name}=${JSON.stringify(part.getAttribute(name))}`);
  const style = part.getAttribute("style")?.match(/(inline-size|inset-inline-start|zoom): ?[^;]+/g) ?? [];
  const field = part as HTMLInputElement;
  const states = [
    ...(part.tagName === "INPUT" || part.tagName === "TEXTAREA" ? [`value=${JSON.stringify(field.value)}`] : []),
    ...(field.checked === true ? ["checked"] : []),
    ...(field.disabled === true ? ["disabled"] : []),
    ...(field.readOnly === true && part.tagName === "INPUT" && field.type === "text" ? ["read only"] : []),
  ];
  const all = [...named, ...style.map((one) => one.replace(/ /g, "")), ...states];
  return all.length === 0 ? "" : ` [${all.join(" ")}]`;
}
