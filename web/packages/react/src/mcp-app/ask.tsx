/** What a page wants to do in the person's name: shown word by word, and done only if they say so. */
import { useMessages } from "../i18n/index.js";
import { Button, Icon } from "../ui/index.js";
import { words } from "./words.js";

export type Wish = { kind: "link" | "say"; text: string };

export interface AskProps {
  wish: Wish;
  /** Who wants it. */
  title: string;
  onAllow: () => void;
  /** Puts the words where the person writes. */
  onEdit: () => void;
  onRefuse: () => void;
}

export function Ask({ wish, title, onAllow, onEdit, onRefuse }: AskProps) {
  const { wantsToSay, wantsToOpen, send, edit, open, refuse } = useMessages(words);
  const isLink = wish.kind === "link";
  return (
    <div className="fs-app-ask" role="group" aria-label={isLink ? wantsToOpen(title) : wantsToSay(title)}>
      <p>
        <Icon name="shield" /> {isLink ? wantsToOpen(title) : wantsToSay(title)}
      </p>
      <blockquote>{wish.text}</blockquote>
      <div className="fs-app-ask-actions">
        {isLink ? (
          <a className="fs-button" data-kind="primary" data-size="sm" href={wish.text} target="_blank" rel="noopener noreferrer nofollow" onClick={onAllow}>
            {open}
          </a>
        ) : (
          <>
            <Button kind="primary" size="sm" onPress={onAllow}>
              {send}
            </Button>
            <Button size="sm" onPress={onEdit}>
              {edit}
            </Button>
          </>
        )}
        <Button size="sm" kind="quiet" onPress={onRefuse}>
          {refuse}
        </Button>
      </div>
    </div>
  );
}
