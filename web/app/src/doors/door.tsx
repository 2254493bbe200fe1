/** What both pages have: a title, what was said, and a line to write on. */
import { Button, useMessages } from "@forestage/react";
import { type ReactNode, useState } from "react";
import { doorWords } from "./words.js";
import "./doors.css";

export interface DoorProps {
  title: string;
  /** What goes on, or what is in the way. */
  status: string;
  isDisabled: boolean;
  onSay: (text: string) => void;
  children: ReactNode;
}

export function Door({ title, status, isDisabled, onSay, children }: DoorProps) {
  const words = useMessages(doorWords);
  const [text, setText] = useState("");
  const say = () => {
    if (text.trim() === "") return;
    onSay(text);
    setText("");
  };
  return (
    <main className="door">
      <header>
        <h1>{title}</h1>
        <p className="door-status" role="status">
          {status}
        </p>
      </header>
      <div className="door-log" role="log" aria-label={title}>
        {children}
      </div>
      <form
        className="door-composer"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) say();
        }}
      >
        <input dir="auto" aria-label={words.message} value={text} onChange={({ target }) => setText(target.value)} />
        <Button type="submit" kind="primary" isDisabled={isDisabled}>
          {words.send}
        </Button>
      </form>
    </main>
  );
}

/** Something that was said. */
export function Said({ text, mine = false, error = false }: { text: string; mine?: boolean; error?: boolean }) {
  return (
    <p className="door-said" dir="auto" data-mine={mine} data-error={error}>
      {text}
    </p>
  );
}
