/**
 * Pictures that agents name. Nothing is fetched from elsewhere unless the server names its origin, since that would tell
 * somebody else who looks: a picture of this origin or one that comes with the message is shown, any other gives way to what
 * stands for it.
 */
import { type ReactNode, createContext, useContext, useState } from "react";
import { Glyph, glyphFor } from "./glyph.js";
import "./picture.css";

const OriginsContext = createContext<readonly string[]>([]);

/** Says from which origins, beside this one, pictures are shown: `pictureOrigins` of `GET /v1/server`. */
export function PictureOrigins({ origins, children }: { origins: readonly string[] | undefined; children: ReactNode }) {
  return <OriginsContext value={origins ?? NONE}>{children}</OriginsContext>;
}

const NONE: readonly string[] = [];

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

/** Tells which pictures are shown: ours, and those from an origin that the server names. */
export function useIsShown(): (url: string) => boolean {
  const origins = useContext(OriginsContext);
  return (url) => isOurs(url) || (URL.canParse(url) && origins.includes(new URL(url).origin));
}

/** A picture that adds nothing to the words beside it. */
export function Picture({ url, fallback }: { url: string | undefined; fallback: ReactNode }) {
  const [isBroken, setBroken] = useState(false);
  const isShown = useIsShown();
  if (url === undefined || isBroken || !isShown(url)) return fallback;
  return <img className="its-picture" src={url} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setBroken(true)} />;
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
