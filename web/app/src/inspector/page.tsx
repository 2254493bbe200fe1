/** The inspector as a page: what its own window shows. */
import type { Api } from "@forestage/client";
import { Inspector } from "@forestage/react/inspector";
import { go, paths } from "../router.js";
import "./page.css";

export interface InspectorPageProps {
  api: Api;
  threadId: string;
}

export function InspectorPage({ api, threadId }: InspectorPageProps) {
  return (
    <main className="inspector-whole">
      <Inspector key={threadId} threadId={threadId} api={api} mode="page" onOpenThread={(thread) => go(paths.inspector(thread), { replace: true })} />
    </main>
  );
}
