/** The way to anything by its name: conversations, agents, pages, commands. Arrows choose, Enter goes, Escape leaves. */
import { Icon, useMessages } from "@forestage/react";
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { go } from "../router.js";
import { useStage } from "../stage.js";
import { appWords } from "../words.js";
import { useCommands } from "./commands.js";
import { type Entry, entriesFor } from "./entries.js";
import "./palette.css";

export function Palette({ onClose }: { onClose: () => void }) {
  const words = useMessages(appWords);
  return (
    <ModalOverlay className="veil palette-veil" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal palette">
        <Dialog aria-label={words.palette}>
          <Choice onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Choice({ onClose }: { onClose: () => void }) {
  const words = useMessages(appWords);
  const { threads, agents } = useStage();
  const commands = useCommands((offered) => offered.commands);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const entries = useMemo(() => entriesFor(text, { threads, agents, commands, words }), [text, threads, agents, commands, words]);
  const at = Math.min(chosen, entries.length - 1);
  useEffect(() => void document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" }), [list, at]);
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    if (entry.path !== undefined) go(entry.path);
    entry.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && entries.length > 0) setChosen((at + step + entries.length) % entries.length);
    else if (event.key === "Enter") take(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <label className="search">
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={entries.length > 0 ? `${list}-${at}` : undefined}
          aria-label={words.paletteHint}
          placeholder={words.paletteHint}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul id={list} className="palette-list" role="listbox" aria-label={words.palette}>
        {entries.map((entry, index) => (
          <li key={entry.id} id={`${list}-${index}`} role="option" aria-selected={index === at} onClick={() => take(entry)} onPointerMove={() => setChosen(index)}>
            <Icon name={entry.icon} />
            <span className="palette-label">{entry.label}</span>
            <span className="palette-group">{words[entry.group]}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && (
        <p className="fs-muted" role="status">
          {words.nothingFound}
        </p>
      )}
    </>
  );
}
