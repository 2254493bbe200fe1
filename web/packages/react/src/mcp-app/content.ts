/** What the activity of a page says, read from whatever it holds. */
import { isObject } from "../its/schema.js";

/** A call with a page. */
export interface AppContent {
  /** Whose server it is: what the page asks for goes there. */
  agent: string | undefined;
  serverId: string;
  serverHash: string;
  /** The tool as its server names it, and as people do. */
  tool: string;
  title: string;
  toolCallId: string | undefined;
  input: Record<string, unknown>;
  /** The page, by the name under which the server keeps it. */
  page: string | undefined;
  /** Why there is none. */
  pageError: string | undefined;
  /** What came of the call; nothing while it is under way. */
  result: Record<string, unknown> | undefined;
  /** Why nothing came of it. */
  error: string | undefined;
}

export function contentOf(content: unknown): AppContent {
  const given = isObject(content) ? content : {};
  const text = (name: string): string | undefined => (typeof given[name] === "string" ? given[name] : undefined);
  const object = (name: string): Record<string, unknown> | undefined => (isObject(given[name]) ? given[name] : undefined);
  const error = object("error")?.["message"];
  const tool = text("tool") ?? text("resourceUri") ?? "";
  return {
    agent: text("agent"),
    serverId: text("serverId") ?? "",
    serverHash: text("serverHash") ?? "",
    tool,
    title: text("title") ?? tool,
    toolCallId: text("toolCallId"),
    input: object("toolInput") ?? {},
    page: text("page"),
    pageError: text("pageError"),
    result: object("result"),
    error: typeof error === "string" ? error : undefined,
  };
}
