/** Dragging with a pointer, or with the arrow keys: how far, from where it began. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";

export interface Drag {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** How far an arrow key goes, in pixels. */
const STEP = 24;

const ARROWS: Record<string, readonly [number, number] | undefined> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** `onBegin` keeps what it begins from; `onDrag` gets the way since then. */
export function useDrag(onBegin: () => void, onDrag: (x: number, y: number) => void): Drag {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: (event) => {
      if (event.target instanceof Element && event.target.closest("button, a, input, select") !== null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { x: event.clientX, y: event.clientY };
      onBegin();
    },
    onPointerMove: (event) => {
      if (from.current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      onDrag(event.clientX - from.current.x, event.clientY - from.current.y);
    },
    onKeyDown: (event) => {
      const way = event.target === event.currentTarget ? ARROWS[event.key] : undefined;
      if (way === undefined) return;
      event.preventDefault();
      onBegin();
      onDrag(way[0], way[1]);
    },
  };
}
