/** A zone to put things into. While something is picked, it has a button to place it here. */
import { Children, type ReactNode } from "react";
import { useMessages } from "../i18n/index.js";
import { Button } from "../ui/index.js";
import { words } from "./words.js";

export interface ZoneProps {
  id: string;
  label: string;
  /** Something is held over it. */
  isTarget: boolean;
  /** It would take what is held. */
  isOpen: boolean;
  isOver: boolean;
  /** What is picked, if anything is. */
  picked?: string;
  onPlace?: () => void;
  children: ReactNode;
}

export function Zone({ id, label, isTarget, isOpen, isOver, picked, onPlace, children }: ZoneProps) {
  const text = useMessages(words);
  const isEmpty = Children.count(children) === 0;
  return (
    <li className="its-zone" data-drop={id} data-target={isTarget || undefined} data-open={isOpen || undefined}>
      <span className="its-zone-label" dir="auto">
        {label}
      </span>
      <span className="its-zone-things">
        {children}
        {isEmpty && !isOver && picked === undefined && <span className="its-zone-empty">{text.dropHere}</span>}
        {isOpen && picked !== undefined && onPlace !== undefined && (
          <Button size="sm" icon="add" aria-label={text.placeHere(picked, label)} onPress={onPlace}>
            {text.putHere}
          </Button>
        )}
      </span>
    </li>
  );
}
