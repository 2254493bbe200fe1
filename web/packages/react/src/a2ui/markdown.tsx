/**
 * Markdown in surfaces, as HTML that cannot do anything: react-markdown makes elements of it and no markup of the agent's
 * gets through. Surfaces have components for pictures, so there are none in their text.
 */
import Markdown from "react-markdown";
import { renderToStaticMarkup } from "react-dom/server";
import remarkGfm from "remark-gfm";

export function markdownHtml(text: string): string {
  const Link = ({ href, children }: { href?: string | undefined; children?: React.ReactNode }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
  return renderToStaticMarkup(
    <Markdown remarkPlugins={[remarkGfm]} disallowedElements={["img", "input"]} components={{ a: Link }}>
      {text}
    </Markdown>,
  );
}
