/** What was just done and can still be taken back, for a few seconds. */
import { Button, IconButton, useMessages } from "@forestage/react";
import { useEffect } from "react";
import { create } from "zustand";
import { appWords } from "../words.js";
import "./undo.css";

interface Done {
  text: string;
  undo: () => void | Promise<void>;
}

const SHOWN = 10_000;

const useDone = create<{ done: Done | undefined }>(() => ({ done: undefined }));

/** Says what was done, and offers to undo it. */
export const offerUndo = (done: Done): void => useDone.setState({ done });

export function Undo() {
  const words = useMessages(appWords);
  const { done } = useDone();
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => useDone.setState({ done: undefined }), SHOWN);
    return () => clearTimeout(timer);
  }, [done]);
  const close = () => useDone.setState({ done: undefined });
  return (
    <div className="undo" role="status" hidden={done === undefined}>
      {done !== undefined && (
        <>
          <span>{done.text}</span>
          <Button
            size="sm"
            onPress={() => {
              close();
              void done.undo();
            }}
          >
            {words.undo}
          </Button>
          <IconButton size="sm" icon="close" label={words.close} onPress={close} />
        </>
      )}
    </div>
  );
}
