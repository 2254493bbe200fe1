/**
 * Catches what breaks while a page is drawn, so that it is never blank. Most of it is a part of the app that could not be loaded:
 * the server is away, or has been upgraded since the page was opened. Then the page is loaded again as soon as the server answers.
 */
import { Button, useMessages } from "@forestage/react";
import { Component, type ReactNode, useEffect } from "react";
import { Notice } from "../pages/login-page.js";
import { appWords } from "../words.js";

/** Between two tries to reach the server, in milliseconds. */
const PAUSE = 1000;

/** A page that breaks again right after it was loaded again is not loaded a third time. */
const ONCE_IN = 10_000;
const RELOADED = "forestage.reloaded";

export class Recover extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <Broken />;
  }
}

function Broken() {
  const words = useMessages(appWords);
  useEffect(() => {
    const timer = setInterval(() => void tryAgain(), PAUSE);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice title={words.broken} text={words.brokenWhy}>
      <Button kind="primary" icon="redo" onPress={() => location.reload()}>
        {words.reload}
      </Button>
    </Notice>
  );
}

async function tryAgain(): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < ONCE_IN) return;
  const answer = await fetch("/healthz").catch(() => undefined);
  if (answer?.ok !== true) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}
