/** What an answer is based on: numbered, named, and one press away. */
import { useMessages } from "../../i18n/index.js";
import { safeUrl } from "../markdown/safe-url.js";
import { words } from "../words.js";

export interface Source {
  title: string;
  /** Where it is, if that is an address that can be followed. */
  url?: string;
  /** What of it was used. */
  text?: string;
}

/** The type of an activity that tells sources. */
const TYPE = /^sources?$/i;

/** The sources that an activity tells; nothing if it is something else. */
export function sourcesOf(type: string, content: unknown): Source[] | undefined {
  const given = (content as { sources?: unknown } | null)?.sources;
  if (!TYPE.test(type) || !Array.isArray(given)) return undefined;
  return given.flatMap((source: unknown) => {
    const { title, url, text } = (source ?? {}) as Record<string, unknown>;
    const address = typeof url === "string" ? safeUrl(url) : "";
    const name = typeof title === "string" && title.trim() !== "" ? title : hostOf(address);
    if (name === undefined) return [];
    return [{ title: name, ...(address === "" ? {} : { url: address }), ...(typeof text === "string" ? { text } : {}) }];
  });
}

/** The site of an address. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") || undefined : undefined;
}

export function Sources({ sources }: { sources: readonly Source[] }) {
  const messages = useMessages(words);
  if (sources.length === 0) return null;
  return (
    <section className="fs-sources" aria-label={messages.sources}>
      <ol>
        {sources.map((source, at) => (
          <li key={at} title={source.text}>
            <Chip number={at + 1} {...source} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Chip({ number, title, url }: Source & { number: number }) {
  const host = url === undefined ? undefined : hostOf(url);
  const inside = (
    <>
      <b>{number}</b>
      <span>{title}</span>
      {host !== undefined && host !== title && <small>{host}</small>}
    </>
  );
  if (url === undefined) return <span className="fs-source">{inside}</span>;
  return (
    <a className="fs-source" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  );
}
