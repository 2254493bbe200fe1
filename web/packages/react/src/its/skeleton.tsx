/** A component that is still being told: its headline as far as it has come, and the shape of what follows. */
import type { ItsName } from "../generated/its.js";
import { useLocale, useMessages } from "../i18n/index.js";
import { Frame } from "./frame.js";
import { type Shape, kinds } from "./kinds.js";
import { isObject } from "./schema.js";
import { words } from "./words.js";

const COUNT: Record<Shape, number> = { cards: 3, rows: 3, pills: 3, line: 1, block: 1 };

export function Skeleton({ name, args }: { name: ItsName; args: unknown }) {
  const { loading } = useMessages(words);
  const kind = kinds[name];
  const label = loading(kind[useLocale()]);
  return (
    <Frame name={name} phase="streaming" headline={headlineOf(kind.headline, args)}>
      <div className="its-skeleton" data-shape={kind.shape} role="status" aria-label={label}>
        {Array.from({ length: COUNT[kind.shape] }, (_, at) => (
          <span key={at} />
        ))}
      </div>
    </Frame>
  );
}

function headlineOf(member: string | undefined, args: unknown): string | undefined {
  const value = member !== undefined && isObject(args) ? args[member] : undefined;
  return typeof value === "string" ? value : undefined;
}
