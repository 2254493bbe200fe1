/**
 * Where components plug into the chat.
 *
 * The chat draws words, tools it does not know and questions to people by itself. Everything else is a slot: a small
 * entry that says what it is for and how to load the component that draws it. Entries are data and cost nothing; the
 * component is fetched when the first call or activity arrives that needs it. So `its/slots.ts`, `a2ui/slots.ts`,
 * `view/slots.ts` and `mcp-app/slots.ts` must import nothing heavy themselves, only `() => import("./…")`.
 *
 *     export const itsTools: ToolSlot[] = [
 *       { tool: "its:render_quick_quiz", load: () => import("./quick-quiz.js").then((module) => module.QuickQuiz) },
 *     ];
 *
 * The app joins them in one line: `slotsOf({ tools: itsTools }, { activities: a2uiActivities })`.
 */
import type { ActivityMessage, BaseEvent, Message } from "@ag-ui/core";
import type { Api } from "@forestage/client";
import { type ComponentType, lazy } from "react";

/** What a component may ask of the page it is on. Stable for a thread, so it is safe in dependency lists. */
export interface SlotHost {
  readonly threadId: string;
  readonly agent: string;
  readonly api: Api;
  /**
   * Answers a tool call: the content becomes the tool message, as JSON unless it is a string, and a run begins that
   * goes on with it. Rejects with an `ApiError` (`invalid_answer` with `faults`, `already_answered`) when the server
   * refuses it; the call then is as it was.
   */
  answer(toolCallId: string, content: unknown): Promise<void>;
  /** Declines a tool call: a tool message with `error`, in words. */
  decline(toolCallId: string, reason: string): Promise<void>;
  /** Begins a run with no new message and these forwarded props, such as `{ a2uiAction: { userAction } }`. */
  act(forwardedProps: Record<string, unknown>): Promise<void>;
  /**
   * Begins a run of an agent in the same way, and waits for its result. Where a person is asked first, it is the result of
   * the run that goes on with what they decided.
   */
  request(agent: string, forwardedProps: Record<string, unknown>): Promise<unknown>;
  /** Says something as the person would. */
  say(text: string): Promise<void>;
  /** Puts words where the person writes. */
  write(text: string): void;
  /** A fact for whatever is said next, in place of the one under this key; nothing takes it away. */
  remember(key: string, fact: { description: string; value: string } | undefined): void;
  /** Tells a screen reader politely. */
  announce(text: string): void;
}

/** A tool call, by how far it is. `args` are what has arrived, healed to something that parses, while it streams. */
export type SlotCall<Args = unknown, Partial = unknown> =
  | { phase: "streaming"; id: string; name: string; text: string; args: Partial | undefined }
  | { phase: "ready"; id: string; name: string; text: string; args: Args }
  | { phase: "answered"; id: string; name: string; text: string; args: Args; result: SlotResult };

/** The answer to a tool call. */
export interface SlotResult {
  /** As it is in the conversation. */
  text: string;
  /** The same, parsed, where it is JSON; otherwise the text. */
  value: unknown;
  /** Why it failed or was declined. */
  error?: string;
  /** What the server says about it: `forestage.check` is the grade of an ITS component. */
  metadata?: Record<string, unknown>;
}

export interface ToolSlotProps {
  call: SlotCall;
  host: SlotHost;
  /**
   * True where nothing can be answered: an older branch, a recording, a thread of somebody else, or while a run is under
   * way. Draw it, and let nothing be done.
   */
  readOnly: boolean;
}

export interface ActivitySlotProps {
  message: ActivityMessage;
  host: SlotHost;
  readOnly: boolean;
  /** False for all but the newest message of the thread; components may fold older ones. */
  latest: boolean;
}

export interface ToolSlot {
  /** The tool's name, or a test of it. The first slot that fits is taken. */
  tool: string | ((name: string) => boolean);
  load: () => Promise<ComponentType<ToolSlotProps>>;
  /** `bare` (the default) leaves all drawing to the component; `card` puts it into a tool card that can be folded. */
  frame?: "bare" | "card";
  /** `hidden` calls are not drawn at all, such as the log of what was done on a surface. */
  hidden?: boolean;
}

export interface ActivitySlot {
  /** The activity's type, such as `a2ui-surface`, or a test of it. */
  activity: string | ((type: string) => boolean);
  load: () => Promise<ComponentType<ActivitySlotProps>>;
}

/** A conversation as of one event of its log: what the inspector's scrubber shows. */
export interface LogMoment {
  threadId: string;
  /** The number of the event, counted from 1, and how many events there are. */
  event: number;
  count: number;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  messages: readonly Message[];
  /** All events up to this one. */
  events: readonly BaseEvent[];
  /** Leaves the moment and follows the thread again. */
  toLive(): void;
}

/** What the inspector gets. It is the export `Inspector` of `@forestage/react/inspector`. */
export interface InspectorProps {
  threadId: string;
  api: Api;
  /** How it is shown; the app owns the frame around it and remembers it. */
  mode: "docked" | "floating" | "page";
  onModeChange?: (mode: "docked" | "floating" | "window") => void;
  onClose?: () => void;
  /** An event to open: its cursor, or its number counted from 1. */
  event?: string;
  /** Reports the moment that the scrubber shows; `null` when the inspector follows the thread. */
  onMoment?: (moment: LogMoment | null) => void;
  /** Goes to a thread, after "branch from here" or an import made one. */
  onOpenThread?: (threadId: string) => void;
}

export interface Slots {
  tools: readonly ToolSlot[];
  activities: readonly ActivitySlot[];
}

/** Joins lists of slots; earlier ones win. */
export function slotsOf(...parts: Partial<Slots>[]): Slots {
  return {
    tools: parts.flatMap((part) => part.tools ?? []),
    activities: parts.flatMap((part) => part.activities ?? []),
  };
}

/** The slot for a tool of this name. */
export function toolSlot(slots: Slots, name: string): ToolSlot | undefined {
  return slots.tools.find(({ tool }) => (typeof tool === "string" ? tool === name : tool(name)));
}

/** The slot for an activity of this type. */
export function activitySlot(slots: Slots, type: string): ActivitySlot | undefined {
  return slots.activities.find(({ activity }) => (typeof activity === "string" ? activity === type : activity(type)));
}

const loaded = new WeakMap<object, unknown>();

/** The slot's component, to be drawn inside `<Suspense>`. It is the same one each time. */
export function componentOf<Props extends object>(slot: { load: () => Promise<ComponentType<Props>> }): ComponentType<Props> {
  const known = loaded.get(slot) as ComponentType<Props> | undefined;
  if (known !== undefined) return known;
  const component: ComponentType<Props> = lazy(async () => ({ default: await slot.load() }));
  loaded.set(slot, component);
  return component;
}
