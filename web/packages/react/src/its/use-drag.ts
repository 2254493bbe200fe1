/**
 * Dragging by mouse, pen and finger. It begins once the pointer has moved a little, so that a press stays a press; the
 * thing follows the pointer; whoever has `data-drop` under the pointer at the end gets it. Keyboards have ways of their own
 * in the components.
 */
import { type PointerEvent, useEffect, useRef, useState } from "react";

/** So far a pointer moves before it drags. */
const SLACK = 6;

export interface Drag {
  id: string;
  /** How far it has been moved. */
  x: number;
  y: number;
  /** The place under the pointer. */
  over: string | undefined;
}

export interface DragHandlers {
  /** What is being dragged. */
  drag: Drag | undefined;
  /** For the thing that can be dragged. */
  handlers: (id: string) => { onPointerDown: (event: PointerEvent) => void; onClickCapture: (event: { stopPropagation(): void; preventDefault(): void }) => void };
}

export function useDrag(onDrop: (id: string, place: string) => void, onOver?: (id: string, place: string) => void): DragHandlers {
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef({ onDrop, onOver });
  latest.current = { onDrop, onOver };
  const wasDragged = useRef(false);
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);

  const begin = (id: string, event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const from = { x: event.clientX, y: event.clientY };
    wasDragged.current = false;
    let over: string | undefined;
    const move = (event: globalThis.PointerEvent) => {
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!wasDragged.current && Math.hypot(x, y) < SLACK) return;
      wasDragged.current = true;
      event.preventDefault();
      const place = placeAt(event.clientX, event.clientY);
      if (place !== undefined && place !== over) latest.current.onOver?.(id, place);
      over = place;
      setDrag({ id, x, y, over });
    };
    const up = () => {
      stop();
      if (wasDragged.current && over !== undefined) latest.current.onDrop(id, over);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") stop();
    };
    const stop = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", stop);
      window.removeEventListener("keydown", key);
      end.current = undefined;
      setDrag(undefined);
    };
    end.current?.();
    end.current = stop;
    window.addEventListener("pointermove", move, { passive: false });
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", stop);
    window.addEventListener("keydown", key);
  };

  return {
    drag,
    handlers: (id) => ({
      onPointerDown: (event) => begin(id, event),
      // The press that ends a drag is none.
      onClickCapture: (event) => {
        if (!wasDragged.current) return;
        wasDragged.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    }),
  };
}

/** The place under a point. What is dragged has no pointer events and so does not hide it. */
function placeAt(x: number, y: number): string | undefined {
  const found = document.elementFromPoint(x, y)?.closest("[data-drop]");
  return found?.getAttribute("data-drop") ?? undefined;
}
