/** A piece of code to look at, in the colours of its language as far as one can tell. */
import { guessLanguage } from "../code/languages.js";
import { Highlighted } from "../code/highlight.js";

export function Snippet({ code }: { code: string }) {
  return <Highlighted code={code} language={guessLanguage(code)} />;
}
