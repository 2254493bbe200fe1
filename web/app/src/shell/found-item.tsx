/** A message that was found: the conversation it is in, and the words around the hit. */
import type { SearchResult } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { go, paths } from "../router.js";
import { appWords } from "../words.js";
import { titleOfThread } from "./first-words.js";

export function FoundItem({ result: { thread, messageId, snippet }, onOpen }: { result: SearchResult; onOpen: () => void }) {
  const words = useMessages(appWords);
  const path = paths.thread(thread.id, messageId);
  return (
    <li className="found-item">
      <a
        href={path}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(path);
          onOpen();
        }}
      >
        <span className="thread-title">{titleOfThread(thread, undefined) ?? words.untitled}</span>
        <span className="found-text">
          {snippet.before}
          <mark>{snippet.hit}</mark>
          {snippet.after}
        </span>
      </a>
    </li>
  );
}
