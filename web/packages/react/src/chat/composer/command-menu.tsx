/** What a slash or an at sign offers: a list above the composer, chosen with arrows and Enter. */
import { useEffect } from "react";

export interface Command {
  name: string;
  about: string;
  run: () => void;
}

/** Somebody who can be asked in place of the agent of the thread. */
export interface Mention {
  name: string;
  about: string;
  /** Offered only to those who have begun to write its name. */
  isFolded?: boolean;
}

/** One thing on the list. */
export interface Offer {
  /** How it is written, with its sign. */
  text: string;
  about: string;
  take: () => void;
}

/** The commands that what is written may mean. */
export function matching(commands: readonly Command[], text: string): Command[] {
  if (!/^\/[\w-]*$/.test(text)) return [];
  return commands.filter(({ name }) => `/${name}`.startsWith(text.toLowerCase()));
}

/** Those who may be meant by what is written, while only their name is. */
export function meant(mentions: readonly Mention[], text: string): Mention[] {
  if (!/^@[^\s@]*$/.test(text)) return [];
  return mentions.filter(({ name, isFolded }) => (isFolded !== true || text.length > 1) && `@${name}`.toLowerCase().startsWith(text.toLowerCase()));
}

/** Who a text is for, and what is left of it for them. */
export function addressed(mentions: readonly Mention[], text: string): { agent?: string; text: string } {
  const [, name, rest] = /^@(\S+)\s+([^]+)$/.exec(text) ?? [];
  const agent = mentions.find((mention) => mention.name.toLowerCase() === name?.toLowerCase())?.name;
  return agent === undefined || rest === undefined ? { text } : { agent, text: rest };
}

/** The id of one thing on a list, for those who hear which one is chosen. */
export const offerId = (list: string, at: number) => `${list}-${at}`;

export function OfferMenu({ id, label, offers, chosen }: { id: string; label: string; offers: readonly Offer[]; chosen: number }) {
  // The list may be longer than there is room for.
  useEffect(() => void document.getElementById(offerId(id, chosen))?.scrollIntoView({ block: "nearest" }), [id, chosen, offers.length]);
  if (offers.length === 0) return null;
  return (
    <ul className="fs-commands" id={id} role="listbox" aria-label={label}>
      {offers.map(({ text, about, take }, at) => (
        <li key={text} id={offerId(id, at)} role="option" aria-selected={at === chosen} onClick={take}>
          <code>{text}</code> <span>{about}</span>
        </li>
      ))}
    </ul>
  );
}
