import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { plain, readDrawio, tameStyle } from "../drawio-xml.js";

const MODEL = '<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="a" value="&lt;b&gt;Sun&lt;/b&gt;" style="ellipse;html=1;image=https://example.com/x.png" vertex="1" parent="1"/></root></mxGraphModel>';

test("a model is found in a file, packed or not", async () => {
  const packed = deflateRawSync(encodeURIComponent(MODEL)).toString("base64");
  for (const source of [MODEL, `<mxfile><diagram>${MODEL}</diagram></mxfile>`, `<mxfile><diagram>${packed}</diagram></mxfile>`]) {
    const cell = (await readDrawio(source)).querySelector('mxCell[id="a"]');
    expect([cell?.getAttribute("value"), cell?.getAttribute("style")]).toEqual(["Sun", "shape=ellipse"]);
  }
});

test("what is no diagram says so", async () => {
  await expect(readDrawio("<mxfile/>")).rejects.toThrow("there is no mxGraphModel");
});

test("cells in objects keep their id and label", async () => {
  const source = '<mxGraphModel><root><UserObject id="u" label="Moon"><mxCell vertex="1"/></UserObject></root></mxGraphModel>';
  const cell = (await readDrawio(source)).querySelector("mxCell");
  expect([cell?.getAttribute("id"), cell?.getAttribute("value")]).toEqual(["u", "Moon"]);
});

test("labels are plain text, line by line", () => {
  expect(plain("Sun<br>light")).toBe("Sun\nlight");
  expect(plain('<img src=x onerror="alert(1)">hot &amp; bright')).toBe("hot & bright");
});

test("styles ask for nothing from elsewhere and for shapes that there are", () => {
  expect(tameStyle("rounded=1;fillColor=#fff;link=https://example.com;image=data:image/png,xy")).toBe("rounded=1;fillColor=#fff;image=data:image/png,xy");
  expect(tameStyle("shape=mxgraph.aws4.cloud;strokeColor=red")).toBe("strokeColor=red");
  expect(tameStyle("text;align=left")).toBe("strokeColor=none;fillColor=none;align=left");
});
