/** A message that was found: the conversation it is in, and the words around the hit. */
import type { SearchResult } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { paths } from "../router.js";
import { appWords } from "../words.js";
import { titleOfThread } from "./first-words.js";
import { Link } from "./link.js";

export function FoundItem({ result: { thread, messageId, snippet }, onOpen }: { result: SearchResult; onOpen: () => void }) {
  const words = useMessages(appWords);
  const path = paths.thread(thread.id, messageId);
  return (
    <li className="found-item">
      <Link path={path} onGo={onOpen}>
        <span className="thread-title">{titleOfThread(thread, undefined) ?? words.untitled}</span>
        <span className="found-text">
          {snippet.before}
          <mark>{snippet.hit}</mark>
          {snippet.after}
        </span>
      </Link>
    </li>
  );
}
