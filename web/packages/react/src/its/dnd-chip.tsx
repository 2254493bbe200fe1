/** A thing that can be dragged, or picked. */
import { useMessages } from "../i18n/index.js";
import { Icon, IconButton } from "../ui/index.js";
import type { Drag, DragHandlers } from "./use-drag.js";
import { words } from "./words.js";

export interface ChipProps {
  label: string;
  isPicked: boolean;
  isOver: boolean;
  drag: Drag | undefined;
  handlers: ReturnType<DragHandlers["handlers"]>;
  onPress: () => void;
  /** Where it is in a zone: puts it back. */
  onTakeBack?: () => void;
}

export function Chip({ label, isPicked, isOver, drag, handlers, onPress, onTakeBack }: ChipProps) {
  const text = useMessages(words);
  if (isOver) {
    return (
      <span className="its-chip" data-over="" dir="auto">
        {label}
      </span>
    );
  }
  const moved = drag === undefined ? {} : { transform: `translate(${drag.x}px, ${drag.y}px)` };
  return (
    <span className="its-chip" data-dragging={drag !== undefined || undefined} data-picked={isPicked || undefined} style={moved}>
      <button type="button" className="its-chip-button" aria-label={text.pick(label)} aria-pressed={isPicked} {...handlers} onClick={onPress}>
        <Icon name="menu" className="its-chip-grip" />
        <span dir="auto">{label}</span>
      </button>
      {onTakeBack !== undefined && <IconButton icon="close" size="sm" label={text.takeBack(label)} tooltip={false} onPress={onTakeBack} />}
    </span>
  );
}
