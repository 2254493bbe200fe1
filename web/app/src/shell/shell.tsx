/** The frame around every page: the menu at the side, or behind a button where there is no room. */
import { IconButton, useMessages } from "@forestage/react";
import { ConnectionBanner } from "@forestage/react/chat";
import { type ReactNode, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import type { Route } from "../router.js";
import { useStage, wakeInbox } from "../stage.js";
import { appWords } from "../words.js";
import { Shortcuts } from "../palette/shortcuts.js";
import { Sidebar } from "./sidebar.js";
import { Undo } from "./undo.js";
import { useMedia } from "./use-media.js";
import "./shell.css";

export function Shell({ route, title, actions, children }: { route: Route; title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const words = useMessages(appWords);
  const connection = useStage((stage) => stage.connection);
  const narrow = useMedia("(max-width: 56rem)");
  const [open, setOpen] = useState(false);
  return (
    <div className="shell" data-narrow={narrow}>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      {!narrow && <Sidebar route={route} onGo={() => {}} />}
      {narrow && (
        <ModalOverlay className="veil veil-side" isOpen={open} onOpenChange={setOpen} isDismissable>
          <Modal className="drawer">
            <Dialog aria-label={words.menu}>
              <Sidebar route={route} onGo={() => setOpen(false)} />
            </Dialog>
          </Modal>
        </ModalOverlay>
      )}
      <main id="main" tabIndex={-1}>
        <header className="bar">
          {narrow && <IconButton icon="menu" label={words.menu} onPress={() => setOpen(true)} />}
          <div className="bar-title">{title}</div>
          {actions}
        </header>
        {/* A conversation that is open follows its own stream, and says so itself. */}
        {route.page !== "thread" && <ConnectionBanner status={connection} onRetry={wakeInbox} />}
        <div className="page">{children}</div>
      </main>
      <Undo />
      <Shortcuts />
    </div>
  );
}
