/**
 * Words of an agent. HTML in them is text, links lead only to the web or to mail and say nothing about us, and pictures
 * from elsewhere are named, not loaded: nothing leaves the page because an agent wrote an address.
 */
import { type ComponentProps, Suspense, lazy, memo, useDeferredValue, useRef } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { Icon } from "../../ui/index.js";
import { useMessages } from "../../i18n/index.js";
import { words } from "../words.js";
import { type Cut, codeOf, cut, definitionsOf, goesOn, isEntangled, withDefinitions } from "./blocks.js";
import { CodeBlock } from "./code-block.js";
import type { MarkdownProps } from "./index.js";
import { hasMaths } from "./maths.js";
import { safeUrl } from "./safe-url.js";

const MathsText = lazy(async () => ({ default: (await import("./maths-text.js")).MathsText }));

export function RichText({ text, streaming = false }: MarkdownProps) {
  // Words that are still coming may be drawn a moment later than what somebody types or presses.
  const shown = useDeferredValue(text);
  const before = useRef<Cut>(undefined);
  if (!streaming && isEntangled(shown)) return <Block text={shown} open={false} goesOn={false} />;
  const { blocks } = (before.current = cut(shown, before.current));
  const definitions = streaming ? "" : definitionsOf(shown);
  const last = blocks.length - 1;
  return blocks.map((block, at) => {
    const open = streaming && at === last;
    return <Block key={at} text={open ? ended(block) : withDefinitions(block, definitions)} open={open} goesOn={goesOn(block, blocks[at - 1])} />;
  });
}

/** What is half written, as if it were whole. Code is that at any time. */
function ended(block: string): string {
  return codeOf(block) === undefined ? remend(block) : block;
}

const Block = memo(function Block({ text, open, goesOn }: { text: string; open: boolean; goesOn: boolean }) {
  return <div className={`fs-markdown${open ? " fs-open" : ""}${goesOn ? " fs-goes-on" : ""}`}>{contentOf(text)}</div>;
});

function contentOf(text: string) {
  const code = codeOf(text);
  if (code !== undefined) return <CodeBlock {...code} />;
  const plain = <ReactMarkdown {...OPTIONS}>{text}</ReactMarkdown>;
  if (!hasMaths(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <MathsText text={text} options={OPTIONS} />
    </Suspense>
  );
}

function Link({ href, children, node: _, ...rest }: ComponentProps<"a"> & { node?: unknown }) {
  if (href === undefined || href === "") return <span>{children}</span>;
  const outside = /^(https?:|mailto:)/i.test(href) ? { target: "_blank", rel: "noopener noreferrer nofollow" } : {};
  return (
    <a {...rest} {...outside} href={href}>
      {children}
    </a>
  );
}

function Picture({ src, alt = "" }: ComponentProps<"img">) {
  const { imageBlocked } = useMessages(words);
  if (typeof src === "string" && /^(data:|\/(?!\/))/.test(src)) return <img src={src} alt={alt} loading="lazy" />;
  return (
    <span className="fs-picture">
      <Icon name="gallery" /> {alt === "" ? imageBlocked : alt}
    </span>
  );
}

function Pre({ children }: ComponentProps<"pre">) {
  const code = children as { props?: { className?: string; children?: string } } | undefined;
  const language = /language-(\S+)/.exec(code?.props?.className ?? "")?.[1] ?? "";
  return <CodeBlock code={String(code?.props?.children ?? "").replace(/\n$/, "")} language={language} />;
}

function Table({ children }: ComponentProps<"table">) {
  return (
    <div className="fs-table" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}

const COMPONENTS: Components = { a: Link, img: Picture, pre: Pre, table: Table };

const OPTIONS: Options = { remarkPlugins: [remarkGfm], components: COMPONENTS, urlTransform: safeUrl };
