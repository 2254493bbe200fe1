/** The door: a key where the server wants one, and a word where it does not answer. */
import { Button, Spinner, useMessages } from "@forestage/react";
import { type ReactNode, useState } from "react";
import { Mark } from "../shell/mark.js";
import { enter } from "../stage.js";
import { appWords } from "../words.js";
import "../shell/shell.css";

export function LoginPage() {
  const words = useMessages(appWords);
  const [key, setKey] = useState("");
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setWrong(!(await enter(key.trim())));
    setBusy(false);
  };
  return (
    <main className="door">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Mark large />
        <h1>{words.loginTitle}</h1>
        <p className="fs-muted">{words.loginWhy}</p>
        <label className="fs-field">
          {words.key}
          <input className="fs-input" type="password" autoComplete="off" autoFocus value={key} aria-invalid={wrong} onChange={({ target }) => setKey(target.value)} />
        </label>
        {wrong && (
          <p className="fs-complaint" role="alert">
            {words.wrongKey}
          </p>
        )}
        <Button kind="primary" type="submit" busy={busy} isDisabled={key.trim() === ""}>
          {words.enter}
        </Button>
      </form>
    </main>
  );
}

export function Notice({ title, text, busy = false, children }: { title: string; text: string; busy?: boolean; children?: ReactNode }) {
  return (
    <main className="door">
      <div role="status">
        <Mark large />
        <h1>{title}</h1>
        <p className="fs-muted">
          {busy && <Spinner />} {text}
        </p>
        {children}
      </div>
    </main>
  );
}
