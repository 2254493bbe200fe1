/** The surfaces as of the moment that is shown: what they are made of, and the data behind them. */
import { useMemo } from "react";
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { type JsonObject, textOf } from "../../log/json.js";
import { childrenOf, type Surface, surfacesOf } from "../../log/surfaces.js";
import { useView } from "../../store/context.js";
import { Copy } from "../parts/copy.js";
import { Empty } from "../parts/empty.js";
import { Id } from "../parts/id.js";
import { JsonTree } from "../parts/json-tree.js";

export function SurfacesPane() {
  const t = useMessages(words);
  const { messages } = useView();
  const surfaces = useMemo(() => surfacesOf(messages), [messages]);
  if (surfaces.length === 0) return <Empty icon="gallery" title={t.noSurfaces} hint={t.noSurfacesHint} />;
  return (
    <section className="fi-scroll" aria-label={t.surfaces} tabIndex={0}>
      {surfaces.map((surface) => (
        <SurfaceCard key={surface.id} surface={surface} />
      ))}
    </section>
  );
}

function SurfaceCard({ surface }: { surface: Surface }) {
  const t = useMessages(words);
  return (
    <article className="fi-card">
      <header className="fi-card-head">
        <h3>{surface.id}</h3>
        <span className="fi-quiet">
          {t.drawnBy} <Id value={surface.messageId} />
        </span>
        <span className="fi-spring" />
        <Copy text={() => JSON.stringify(surface, null, 2)} />
      </header>
      <div className="fi-columns">
        <div>
          <h3 className="fi-label">{t.components}</h3>
          <ComponentTree components={surface.components} />
        </div>
        <div>
          <h3 className="fi-label">{t.dataModel}</h3>
          <JsonTree value={surface.dataModel} label={t.dataModel} depth={4} />
        </div>
      </div>
    </article>
  );
}

function ComponentTree({ components }: { components: readonly JsonObject[] }) {
  const byId = new Map(components.map((component) => [textOf(component, "id") ?? "", component]));
  return (
    <ul className="fi-tree" dir="ltr">
      <ComponentNode id={byId.has("root") ? "root" : (byId.keys().next().value ?? "")} byId={byId} above={[]} />
    </ul>
  );
}

interface NodeProps {
  id: string;
  byId: ReadonlyMap<string, JsonObject>;
  /** What stands above, so that a component inside of itself comes to an end. */
  above: readonly string[];
}

function ComponentNode({ id, byId, above }: NodeProps) {
  const component = byId.get(id);
  const children = component === undefined || above.includes(id) ? [] : childrenOf(component);
  const { id: _id, component: kind, ...members } = component ?? {};
  return (
    <li>
      <code className="fi-call-name">{typeof kind === "string" ? kind : "?"}</code> <code className="fi-component-id">#{id}</code>
      <span className="fi-tree-members">{JSON.stringify(members)}</span>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <ComponentNode key={child} id={child} byId={byId} above={[...above, id]} />
          ))}
        </ul>
      )}
    </li>
  );
}
