/** Files that are dropped on the page while this is shown. */
import { type RefObject, useEffect, useState } from "react";

export function useDrop(near: RefObject<HTMLElement | null>, onDrop: (files: FileList) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const place = near.current?.closest<HTMLElement>("[data-drop]") ?? near.current;
    if (place === null) return;
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      setOver(depth > 0);
    };
    const allow = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      onDrop(event.dataTransfer.files);
    };
    const handlers = { dragenter: enter, dragleave: leave, dragover: allow, drop } as const;
    for (const [name, handler] of Object.entries(handlers)) place.addEventListener(name, handler as EventListener);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) place.removeEventListener(name, handler as EventListener);
    };
  });
  return over;
}
