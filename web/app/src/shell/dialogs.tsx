/** The two things that are asked before they happen to a conversation. */
import { Button, useMessages } from "@forestage/react";
import { useState } from "react";
import { Dialog, Heading, Input, Label, Modal, ModalOverlay, TextField } from "react-aria-components";
import { appWords } from "../words.js";

export function RenameDialog({ title, onSave, onClose }: { title: string; onSave: (title: string | null) => Promise<void>; onClose: () => void }) {
  const words = useMessages(appWords);
  const [text, setText] = useState(title);
  return (
    <Framed label={words.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void onSave(text.trim() === "" ? null : text.trim());
        }}
      >
        <TextField className="fs-field" value={text} onChange={setText} autoFocus maxLength={200}>
          <Label>{words.title}</Label>
          <Input className="fs-input" />
        </TextField>
        <div className="fs-actions">
          <Button kind="primary" type="submit">
            {words.save}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </div>
      </form>
    </Framed>
  );
}

export function DeleteDialog({ onDelete, onClose }: { onDelete: () => Promise<void>; onClose: () => void }) {
  const words = useMessages(appWords);
  return (
    <Framed label={words.deleteTitle} onClose={onClose} role="alertdialog">
      <p>{words.deleteWhy}</p>
      <div className="fs-actions">
        <Button
          kind="danger"
          icon="trash"
          onPress={() => {
            onClose();
            void onDelete();
          }}
        >
          {words.delete}
        </Button>
        <Button kind="quiet" autoFocus onPress={onClose}>
          {words.cancel}
        </Button>
      </div>
    </Framed>
  );
}

/** A dialog in the middle of the page. */
export function Framed({ label, role = "dialog", onClose, children }: { label: string; role?: "dialog" | "alertdialog"; onClose: () => void; children: React.ReactNode }) {
  return (
    <ModalOverlay className="veil" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal">
        <Dialog role={role}>
          <Heading slot="title">{label}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
