/**
 * A reporter for `node --test` that writes JUnit, with the file of each test, which Node's own leaves out.
 * `cargo xtask test` reads what it writes.
 */
const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export default async function* junit(events) {
  yield "<testsuites>\n";
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    yield `<testcase file="${escaped(data.file)}" name="${escaped(data.name)}">${verdict(type, data)}</testcase>\n`;
  }
  yield "</testsuites>\n";
}

function verdict(type, { skip, todo }) {
  if (type === "test:fail") return "<failure/>";
  return skip === undefined && todo === undefined ? "" : "<skipped/>";
}
