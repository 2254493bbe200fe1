/** A file that was sent: pictures, sounds and films are shown, the rest is named. Nothing is loaded from elsewhere. */
import type { ContentPart } from "@ag-ui/core";
import { Icon } from "../../ui/index.js";

type File = Exclude<ContentPart, { type: "text" }>;

export function Attachment({ part }: { part: File }) {
  const url = urlOf(part);
  const name = nameOf(part);
  if (url !== undefined && part.type === "image") return <img className="fs-attached" src={url} alt={name} />;
  if (url !== undefined && part.type === "audio") return <audio className="fs-attached" src={url} controls aria-label={name} />;
  if (url !== undefined && part.type === "video") return <video className="fs-attached" src={url} controls aria-label={name} />;
  return (
    <span className="fs-file">
      <Icon name="file" />
      {url === undefined ? name : <a href={url} download={name}>{name}</a>}
    </span>
  );
}

function urlOf({ source }: File): string | undefined {
  return source.type === "data" ? `data:${source.mimeType};base64,${source.value}` : undefined;
}

function nameOf({ type, metadata }: File): string {
  const name = (metadata as { name?: unknown; filename?: unknown } | undefined)?.name;
  return typeof name === "string" ? name : type;
}
