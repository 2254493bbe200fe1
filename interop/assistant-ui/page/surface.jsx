/** A surface, as assistant-ui hands it over: the arguments of a call of `present`, one element inside the other. */
export function Surface({ args }) {
  return (
    <section aria-label="Surface">
      <Node node={args} />
    </section>
  );
}

function Node({ node }) {
  if (node === null || node === undefined) return null;
  if (Array.isArray(node)) return node.map((child, at) => <Node key={at} node={child} />);
  if (typeof node !== "object") return <span>{String(node)}</span>;
  const { label, text, children, child, ...rest } = node;
  return (
    <div data-element={JSON.stringify(rest)}>
      {label !== undefined && <span>{String(label)}</span>}
      <Node node={text} />
      <Node node={children ?? child} />
    </div>
  );
}
