/** Diagrams that are not Mermaid: draw.io files are drawn and chosen from, pictures from elsewhere are not fetched. */
import { expect, test } from "vitest";
import { Exhibit } from "../src/exhibit.js";
import { scene } from "../src/scene.js";

const here = scene();

const cell = (id: string, value: string, style: string, y: number) =>
  `<mxCell id="${id}" value="${value}" style="${style}" vertex="1" parent="1"><mxGeometry x="40" y="${y}" width="140" height="60" as="geometry"/></mxCell>`;
const drawing = `<mxfile><diagram><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cell("sun", "&lt;b&gt;Sun&lt;/b&gt;", "ellipse;whiteSpace=wrap;html=1;", 20)}${cell("leaf", "Leaf", "rounded=1;whiteSpace=wrap;", 140)}<mxCell id="e" value="light" style="edgeStyle=orthogonalEdgeStyle;" edge="1" parent="1" source="sun" target="leaf"><mxGeometry relative="1" as="geometry"/></mxCell></root></mxGraphModel></diagram></mxfile>`;

test("a draw.io diagram is drawn, and a part of it is chosen", async () => {
  const exhibit = await Exhibit.at(here, "diagram-viewer");
  await exhibit.give({ diagram_id: "d", diagram_data: drawing, diagram_type: "drawio_xml", interactive: true });
  await exhibit.button("Sun").waitFor();
  expect(await exhibit.stage.locator("svg").last().textContent()).toContain("Leaf");
  await exhibit.begin();
  await exhibit.tabTo(/^Leaf$/);
  await exhibit.press("Enter");
  await exhibit.button("Send answer: Leaf").click();
  expect(await exhibit.answer()).toEqual({ diagram_id: "d", interaction_type: "node_click", node_id: "leaf" });
});

test("what is no diagram says so, with its source", async () => {
  const exhibit = await Exhibit.at(here, "diagram-viewer");
  await exhibit.give({ diagram_id: "d", diagram_data: "graph TD; A--", diagram_type: "mermaid" });
  expect(await exhibit.stage.getByRole("alert").innerText()).toContain("Cannot draw the diagram.");
});

test("a picture of another site is a link, and nothing is asked of that site", async () => {
  const exhibit = await Exhibit.at(here, "diagram-viewer");
  await exhibit.give({ diagram_id: "d", diagram_data: "https://example.com/a.png", diagram_type: "image_url", caption: "A picture" });
  expect(await exhibit.stage.getByRole("link").getAttribute("href")).toBe("https://example.com/a.png");
  expect(await exhibit.stage.locator("img").count()).toBe(0);
});

test("the diagram of the contract is drawn with all its parts and its caption", async () => {
  const exhibit = await Exhibit.at(here, "diagram-viewer");
  const drawing = exhibit.stage.getByRole("img", { name: "From light to sugar" });
  await drawing.locator("svg").waitFor();
  const text = await drawing.locator("svg").textContent();
  for (const part of ["Light", "Chloroplasts", "Light reactions", "ATP and NADPH", "Calvin cycle", "Glucose"]) expect(text).toContain(part);
  expect(await exhibit.stage.locator("figcaption").innerText()).toBe("From light to sugar");
});

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test(`a diagram is whole and in the colours of the page, with motion: ${reducedMotion}`, async () => {
    const exhibit = await Exhibit.at(here, "diagram-viewer", undefined, { reducedMotion });
    const drawing = exhibit.stage.getByRole("img", { name: "From light to sugar" });
    await drawing.locator("g.node").nth(5).waitFor();
    const { outside, fills, texts } = await drawing.locator("svg").evaluate((svg) => {
      const frame = svg.getBoundingClientRect();
      const nodes = [...svg.querySelectorAll("g.node")];
      const isOutside = (node: Element) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
      };
      const fillsOf = (what: string) => [...new Set([...svg.querySelectorAll(what)].map((shape) => getComputedStyle(shape).fill))];
      return { outside: nodes.filter(isOutside).length, fills: fillsOf("g.node .label-container"), texts: fillsOf("g.node text") };
    });
    expect(outside).toBe(0);
    expect(texts).toHaveLength(1);
    expect(fills).toHaveLength(1);
    expect(fills).not.toEqual(texts);
  });
}
