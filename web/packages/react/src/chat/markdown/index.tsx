/** Words of an agent. Until what draws Markdown is there, they are shown as they are written. */
import { Suspense, lazy } from "react";
import "./markdown.css";

export interface MarkdownProps {
  text: string;
  /** It is still being written. */
  streaming?: boolean;
}

const load = () => import("./rich-text.js");
const RichText = lazy(async () => ({ default: (await load()).RichText }));

/** Fetches what draws Markdown before the first word needs it. */
export function preload(): void {
  void load();
}

export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<p className="fs-markdown fs-words">{props.text}</p>}>
      <RichText {...props} />
    </Suspense>
  );
}
