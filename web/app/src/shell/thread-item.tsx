/** A conversation in the list: its title, how it is, and what can be done with it. */
import type { Thread } from "@forestage/client";
import { Icon, useMessages } from "@forestage/react";
import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover, Separator } from "react-aria-components";
import { go, paths } from "../router.js";
import { titleOf } from "../agents/listing.js";
import { api, refreshThreads, sessions, useStage } from "../stage.js";
import { appWords } from "../words.js";
import { titleOfThread } from "./first-words.js";
import { DeleteDialog, RenameDialog } from "./dialogs.js";
import { useExport } from "./export.js";
import { offerUndo } from "./undo.js";
import { ShareDialog } from "./lazy-share-dialog.js";

export function ThreadItem({ thread, current, onOpen }: { thread: Thread; current: boolean; onOpen: () => void }) {
  const words = useMessages(appWords);
  const agents = useStage((stage) => stage.agents);
  const title = titleOfThread(thread, sessions.stateOf(thread.id)) ?? words.untitled;
  return (
    <li className="thread-item" data-current={current} data-status={thread.status}>
      <a
        href={paths.thread(thread.id)}
        aria-current={current ? "page" : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(paths.thread(thread.id));
          onOpen();
        }}
      >
        <span className="thread-title">{title}</span>
        <span className="thread-agent">{titleOf(agents, thread.agent)}</span>
        <StatusDot thread={thread} />
      </a>
      <ThreadMenu thread={thread} title={title} current={current} />
    </li>
  );
}

function StatusDot({ thread: { status, pendingInterrupts } }: { thread: Thread }) {
  const words = useMessages(appWords);
  if (status === "idle") return null;
  const kind = pendingInterrupts > 0 ? "waiting" : status;
  return <span className="dot" data-kind={kind} role="img" aria-label={words[kind]} />;
}

export function ThreadMenu({ thread, title, current }: { thread: Thread; title: string; current: boolean }) {
  const words = useMessages(appWords);
  const [dialog, setDialog] = useState<"rename" | "share" | "delete">();
  const exporting = useExport(api, thread.id, title);
  const change = async (what: Parameters<typeof api.changeThread>[1]) => {
    await api.changeThread(thread.id, what);
    await refreshThreads();
  };
  const archive = async () => {
    await change({ archived: !thread.archived });
    if (!thread.archived) offerUndo({ text: words.archivedNote(title), undo: () => change({ archived: false }) });
  };
  const remove = async () => {
    await api.deleteThread(thread.id);
    sessions.forget(thread.id);
    if (current) go(paths.home, { replace: true });
    await refreshThreads();
  };
  return (
    <>
      <MenuTrigger>
        <Button className="fs-button fs-icon-button thread-more" data-kind="quiet" data-size="sm" aria-label={words.more(title)}>
          <Icon name="more" />
        </Button>
        <Popover className="menu-popover" placement="bottom end">
          <Menu className="menu">
            <MenuItem onAction={() => setDialog("rename")}>
              <Icon name="edit" /> {words.rename}
            </MenuItem>
            <MenuItem onAction={() => void navigator.clipboard.writeText(location.origin + paths.thread(thread.id))}>
              <Icon name="link" /> {words.copyLink}
            </MenuItem>
            <MenuItem onAction={() => setDialog("share")}>
              <Icon name="share" /> {words.share}
            </MenuItem>
            <MenuItem onAction={exporting.save}>
              <Icon name="file" /> {words.export}
            </MenuItem>
            <MenuItem onAction={() => void change({ review: !thread.review })}>
              <Icon name={thread.review ? "check" : "shield"} /> {words.review}
            </MenuItem>
            <MenuItem onAction={() => void archive()}>
              <Icon name="archive" /> {thread.archived ? words.unarchive : words.archive}
            </MenuItem>
            <Separator />
            <MenuItem className="menu-danger" onAction={() => setDialog("delete")}>
              <Icon name="trash" /> {words.delete}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      {exporting.dialog}
      {dialog === "rename" && <RenameDialog title={thread.title ?? ""} onSave={(next) => change({ title: next })} onClose={() => setDialog(undefined)} />}
      {dialog === "share" && <ShareDialog threadId={thread.id} onClose={() => setDialog(undefined)} />}
      {dialog === "delete" && <DeleteDialog onDelete={remove} onClose={() => setDialog(undefined)} />}
    </>
  );
}
