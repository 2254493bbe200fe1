/**
 * Pictures that agents name. Nothing is fetched from elsewhere, since that would tell somebody else who looks: a picture of
 * this origin or one that comes with the message is shown, any other gives way to what stands for it.
 */
import { type ReactNode, useState } from "react";
import { Glyph, glyphFor } from "./glyph.js";
import "./picture.css";

/** Whether an address is of this page, or of nobody. */
export function isOurs(url: string, base: string = globalThis.location?.href ?? "http://localhost/"): boolean {
  try {
    const address = new URL(url, base);
    if (address.protocol === "data:") return address.pathname.startsWith("image/");
    return address.protocol === "blob:" || address.origin === new URL(base).origin;
  } catch {
    return false;
  }
}

/** A picture that adds nothing to the words beside it. */
export function Picture({ url, fallback }: { url: string | undefined; fallback: ReactNode }) {
  const [isBroken, setBroken] = useState(false);
  if (url === undefined || isBroken || !isOurs(url)) return fallback;
  return <img className="its-picture" src={url} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

/** A small picture by its name or address; without one, the first letter. */
export function Lead({ name, fallback }: { name: string | undefined; fallback: string }) {
  const glyph = name === undefined ? undefined : glyphFor(name);
  if (glyph !== undefined) return <Glyph name={glyph} />;
  const isAddress = name !== undefined && /[/:]/.test(name);
  return <Picture url={isAddress ? name : undefined} fallback={<Letter of={fallback} />} />;
}

function Letter({ of }: { of: string }) {
  return <span aria-hidden="true">{[...of.trim()][0]?.toLocaleUpperCase() ?? "·"}</span>;
}
