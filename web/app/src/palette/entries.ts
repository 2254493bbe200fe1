/** What the palette offers for what is written. Pure. */
import type { AgentInfo, Thread } from "@forestage/client";
import type { IconName } from "@forestage/react";
import type { Command } from "@forestage/react/chat";
import { isForDevelopers } from "../agents/listing.js";
import { paths } from "../router.js";
import { titleOfThread } from "../shell/first-words.js";

export interface Entry {
  id: string;
  group: "pages" | "commandsTitle" | "agents" | "threads";
  icon: IconName;
  label: string;
  about?: string;
  /** Where it leads, or else what it does. */
  path?: string;
  run?: () => void;
}

export interface Offered {
  threads: readonly Thread[];
  agents: readonly AgentInfo[];
  commands: readonly Command[];
  words: { newThread: string; inbox: string; gallery: string; untitled: string; talkTo: (agent: string) => string };
}

/** As many conversations are enough to choose from. */
const THREADS = 8;

/** The entries with all the words that are written, in the order in which they are offered. */
export function entriesFor(text: string, { threads, agents, commands, words }: Offered): Entry[] {
  const pages: Entry[] = [
    { id: "page-home", group: "pages", icon: "add", label: words.newThread, path: paths.home },
    { id: "page-inbox", group: "pages", icon: "inbox", label: words.inbox, path: paths.inbox },
    { id: "page-gallery", group: "pages", icon: "gallery", label: words.gallery, path: paths.gallery },
  ];
  const offered: Entry[] = [
    ...pages,
    // These are pages, too.
    ...commands.filter(({ name }) => name !== "new" && name !== "inbox").map(({ name, about, run }): Entry => ({ id: `command-${name}`, group: "commandsTitle", icon: "chevron", label: about, run })),
    // What only developers look for is there for those who write its name.
    ...agents.filter((agent) => text !== "" || !isForDevelopers(agent)).map(({ name, title, description }): Entry => ({ id: `agent-${name}`, group: "agents", icon: "user", label: words.talkTo(title ?? name), about: description, path: paths.agent(name) })),
  ];
  const conversations = threads.map((thread): Entry => ({ id: `thread-${thread.id}`, group: "threads", icon: "quote", label: titleOfThread(thread, undefined) ?? words.untitled, path: paths.thread(thread.id) }));
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, about = "" }: Entry) => wanted.every((word) => `${label} ${about}`.toLowerCase().includes(word));
  return [...offered.filter(fits), ...conversations.filter(fits).slice(0, THREADS)];
}
