/** Words with maths in them. It is drawn by KaTeX as MathML and as boxes, from fonts of ours; what is none is shown as it is written. */
import katex from "katex";
import "katex/dist/katex.min.css";
import { type ComponentProps, type ComponentType, useLayoutEffect, useMemo, useRef } from "react";
import ReactMarkdown, { type Options } from "react-markdown";
import remarkMath from "remark-math";
import { withDollars } from "./maths.js";

export function MathsText({ text, options }: { text: string; options: Options }) {
  const all = useMemo(() => withMaths(options), [options]);
  return <ReactMarkdown {...all}>{withDollars(text)}</ReactMarkdown>;
}

function withMaths(options: Options): Options {
  const components = { ...options.components, code: Code, pre: preOf(options.components?.pre as ComponentType<ComponentProps<"pre">>) };
  return { ...options, components, remarkPlugins: [...(options.remarkPlugins ?? []), [remarkMath, { singleDollarTextMath: false }]] };
}

/** Maths comes as code of a language of its own. */
function Code({ className = "", children, node: _, ...rest }: ComponentProps<"code"> & { node?: unknown }) {
  if (className.includes("math-")) return <Maths tex={String(children)} isBlock={className.includes("math-display")} />;
  return (
    <code {...rest} className={className}>
      {children}
    </code>
  );
}

/** A block of maths stands in no box for code. */
function preOf(Plain: ComponentType<ComponentProps<"pre">>): ComponentType<ComponentProps<"pre">> {
  return function MathsOrCode({ children, ...rest }) {
    const inside = children as { props?: { className?: string } } | undefined;
    return inside?.props?.className?.includes("math-display") === true ? children : <Plain {...rest}>{children}</Plain>;
  };
}

function Maths({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    // Nothing that is written there can lead anywhere or load anything.
    if (place.current !== null) katex.render(tex, place.current, { displayMode: isBlock, throwOnError: false, trust: false, strict: false, maxExpand: 200, maxSize: 40 });
  }, [tex, isBlock]);
  return <span ref={place} className="fs-maths" data-block={isBlock || undefined} dir="ltr" />;
}
