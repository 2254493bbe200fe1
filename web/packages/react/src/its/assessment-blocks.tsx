/** Blocks of code to put in order: by dragging, with the buttons beside them, or with Alt and the arrows. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useMessages } from "../i18n/index.js";
import { Icon, IconButton } from "../ui/index.js";
import { type Block, moved } from "./blocks.js";
import { useAnnounce } from "./tool.js";
import { useDrag } from "./use-drag.js";
import { words } from "./words.js";

export interface BlocksProps {
  blocks: Block[];
  order: string[];
  /** The key, once it may be shown. */
  right: string[] | undefined;
  isOver: boolean;
  onChange: (order: string[]) => void;
}

export function Blocks({ blocks, order, right, isOver, onChange }: BlocksProps) {
  const text = useMessages(words);
  const announce = useAnnounce();
  const list = useRef<HTMLOListElement>(null);
  const focus = useRef<string>(undefined);
  useEffect(() => {
    if (focus.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-drop="${CSS.escape(focus.current)}"]`)?.focus();
    focus.current = undefined;
  });
  const codeOf = (id: string) => blocks.find((block) => block.id === id)?.code ?? id;
  const move = (id: string, to: number) => {
    if (to < 0 || to >= order.length) return;
    onChange(moved(order, id, to));
    announce(text.movedTo(codeOf(id).trim(), to + 1, order.length));
  };
  // The list gives way while something is dragged over it, so that it is seen where it will be.
  const over = (id: string, place: string) => id !== place && onChange(moved(order, id, order.indexOf(place)));
  const { drag, handlers } = useDrag(() => undefined, over);
  const onKeyDown = (id: string) => (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    focus.current = id;
    move(id, order.indexOf(id) + step);
  };
  return (
    <ol className="its-blocks" ref={list} aria-label={text.blocks}>
      {order.map((id, at) => (
        <li
          key={id}
          className="its-block"
          data-drop={id}
          data-dragging={drag?.id === id || undefined}
          data-verdict={right === undefined ? undefined : right[at] === id ? "right" : "wrong"}
          {...(!isOver && { tabIndex: 0, onKeyDown: onKeyDown(id) })}
        >
          {isOver ? (
            <span className="its-block-at">{at + 1}</span>
          ) : (
            <span className="its-block-grip" aria-hidden="true" {...handlers(id)}>
              <Icon name="menu" />
            </span>
          )}
          <pre dir="ltr">{codeOf(id)}</pre>
          {!isOver && (
            <span className="its-block-moves">
              <IconButton icon="send" size="sm" tooltip={false} label={text.moveUp(codeOf(id).trim())} isDisabled={at === 0} onPress={() => move(id, at - 1)} />
              <IconButton icon="down" size="sm" tooltip={false} label={text.moveDown(codeOf(id).trim())} isDisabled={at === order.length - 1} onPress={() => move(id, at + 1)} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
