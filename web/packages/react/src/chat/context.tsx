/** What all rows of a conversation share. */
import type { Api } from "@forestage/client";
import { type ReactNode, createContext, useContext } from "react";
import type { SlotHost, Slots } from "../slots.js";
import type { Session } from "./session/index.js";

export interface Scene {
  session: Session;
  api: Api;
  slots: Slots;
  host: SlotHost;
  /** Who we are. */
  user: string | undefined;
  /** Puts words in front of what the person writes. */
  quote: (text: string) => void;
  /** Nothing can be answered now. */
  readOnly: boolean;
  /** We have a link to somebody else's thread: there is nothing to do but read. */
  isGuest: boolean;
  /** It is shown as of an earlier moment: what was asked then cannot be answered there. */
  isFrozen: boolean;
}

const SceneContext = createContext<Scene | undefined>(undefined);

export function SceneProvider({ scene, children }: { scene: Scene; children: ReactNode }) {
  return <SceneContext value={scene}>{children}</SceneContext>;
}

export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (scene === undefined) throw new Error("rows of a conversation are drawn inside of a ThreadView");
  return scene;
}
