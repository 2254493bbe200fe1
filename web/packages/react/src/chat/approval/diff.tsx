/** What was changed in a text, word by word. */
import { diffWordsWithSpace } from "diff";
import "./approval.css";

export function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  return (
    <div className="fs-diff" role="group" aria-label={label}>
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, at) =>
        added ? <ins key={at}>{value}</ins> : removed ? <del key={at}>{value}</del> : <span key={at}>{value}</span>,
      )}
    </div>
  );
}
