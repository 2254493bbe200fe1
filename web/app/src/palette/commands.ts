/** What the page at hand can do, for the palette: pages announce their commands while they are shown. */
import type { Command } from "@forestage/react/chat";
import { useEffect } from "react";
import { create } from "zustand";

export const useCommands = create<{ commands: readonly Command[] }>(() => ({ commands: [] }));

/** Offers these commands while the component is shown. */
export function useOffered(commands: readonly Command[]): void {
  useEffect(() => {
    useCommands.setState({ commands });
    return () => useCommands.setState({ commands: [] });
  }, [commands]);
}
