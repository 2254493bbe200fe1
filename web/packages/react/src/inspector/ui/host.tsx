/** What the parts of the inspector may ask of the inspector itself. */
import { createContext, useContext } from "react";

export interface Host {
  /** Says something once, to eyes and ears. */
  tell(text: string): void;
  onOpenThread?: ((threadId: string) => void) | undefined;
}

export const HostContext = createContext<Host>({ tell: () => {} });

export function useHost(): Host {
  return useContext(HostContext);
}
