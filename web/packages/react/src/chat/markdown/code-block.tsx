/** Code, with its language, colours once they are loaded, and a button to copy it. */
import { Suspense, lazy, memo } from "react";
import { useMessages } from "../../i18n/index.js";
import { words } from "../words.js";
import { CopyButton } from "../copy-button.js";
import { hasColours } from "./languages.js";

const Highlighted = lazy(() => import("./highlighted.js").then((module) => ({ default: module.Highlighted })));
const Diagram = lazy(() => import("./diagram.js").then((module) => ({ default: module.Diagram })));

export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const { copyCode, language: named } = useMessages(words);
  const plain = <code>{code}</code>;
  return (
    <figure className="fs-code" aria-label={named(language === "" ? "text" : language)}>
      <figcaption>
        <span>{language === "" ? "text" : language}</span>
        <CopyButton text={code} label={copyCode} />
      </figcaption>
      {language === "mermaid" ? (
        <Suspense fallback={<pre tabIndex={0}>{plain}</pre>}>
          <Diagram code={code} />
        </Suspense>
      ) : (
        <pre tabIndex={0}>
          {hasColours(language) ? (
            <Suspense fallback={plain}>
              <Highlighted code={code} language={language} />
            </Suspense>
          ) : (
            plain
          )}
        </pre>
      )}
    </figure>
  );
});
