/** The way to everything: conversations by date, the inbox, the gallery, and how the page looks. */
import { Button, Icon, type IconName, useMessages } from "@forestage/react";
import type { ReactNode } from "react";
import { type Route, go, paths } from "../router.js";
import { isMine, moreThreads, refreshThreads, useStage } from "../stage.js";
import { appWords } from "../words.js";
import { FoundItem } from "./found-item.js";
import { Link } from "./link.js";
import { grouped } from "./grouped.js";
import { Mark } from "./mark.js";
import { SettingsMenu } from "./settings-menu.js";
import { ThreadItem } from "./thread-item.js";

export function Sidebar({ route, onGo }: { route: Route; onGo: () => void }) {
  const words = useMessages(appWords);
  const { threads, search, found, archived, nextCursor, questions, server } = useStage();
  const mine = questions.filter((question) => isMine(question, server?.user)).length;
  const current = route.page === "thread" ? route.thread : undefined;
  const find = (text: string) => {
    useStage.setState({ search: text });
    void refreshThreads();
  };
  return (
    <nav className="sidebar" aria-label={words.menu}>
      <header>
        <Link path={paths.home} onGo={onGo} className="brand">
          <Mark /> Forestage
        </Link>
        <SettingsMenu />
      </header>
      <Button
        kind="primary"
        icon="add"
        onPress={() => {
          go(paths.home);
          onGo();
        }}
      >
        {words.newThread}
      </Button>
      <div className="places">
        <Place path={paths.inbox} icon="inbox" here={route.page === "inbox"} onGo={onGo}>
          {words.inbox}{" "}
          {mine > 0 && (
            <span className="count">
              {mine} <span className="fs-visually-hidden">{words.waitingCount}</span>
            </span>
          )}
        </Place>
        <Place path={paths.gallery} icon="gallery" here={route.page === "gallery"} onGo={onGo}>
          {words.gallery}
        </Place>
      </div>
      <label className="search">
        <Icon name="search" />
        <input type="search" placeholder={words.search} aria-label={words.search} value={search} onChange={({ target }) => find(target.value)} />
      </label>
      <div className="thread-list">
        {grouped(threads, Date.now()).map(([group, members]) => (
          <section key={group}>
            <h2>{words[group]}</h2>
            <ul>
              {members.map((thread) => (
                <ThreadItem key={thread.id} thread={thread} current={thread.id === current} onOpen={onGo} />
              ))}
            </ul>
          </section>
        ))}
        {found.length > 0 && (
          <section aria-label={words.inMessages}>
            <h2>{words.inMessages}</h2>
            <ul>
              {found.map((result) => (
                <FoundItem key={`${result.thread.id} ${result.messageId}`} result={result} onOpen={onGo} />
              ))}
            </ul>
          </section>
        )}
        {threads.length === 0 && found.length === 0 && <p className="fs-muted">{search === "" ? words.noThreads : words.nothingFound}</p>}
        {nextCursor !== null && (
          <Button kind="quiet" size="sm" onPress={() => void moreThreads()}>
            {words.loadMore}
          </Button>
        )}
      </div>
      <footer>
        <label>
          <input
            type="checkbox"
            checked={archived}
            onChange={({ target }) => {
              useStage.setState({ archived: target.checked });
              void refreshThreads();
            }}
          />{" "}
          {words.showArchived}
        </label>
        {server?.keys === true && <span className="fs-muted">{words.signedInAs(server.user)}</span>}
      </footer>
    </nav>
  );
}

function Place({ path, icon, here, onGo, children }: { path: string; icon: IconName; here: boolean; onGo: () => void; children: ReactNode }) {
  return (
    <Link path={path} onGo={onGo} className="place" current={here ? "page" : undefined}>
      <Icon name={icon} />
      {children}
    </Link>
  );
}
