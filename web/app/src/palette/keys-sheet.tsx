/** Every key that does something, on one sheet. */
import { useMessages } from "@forestage/react";
import { Fragment } from "react";
import { Framed } from "../shell/dialogs.js";
import { appWords } from "../words.js";
import "./keys-sheet.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function KeysSheet({ onClose }: { onClose: () => void }) {
  const words = useMessages(appWords);
  const rows: [string[], string][] = [
    [[isMac ? "⌘" : "Ctrl", "K"], words.keyPalette],
    [["?"], words.keyHelp],
    [["Enter"], words.keySend],
    [["Shift", "Enter"], words.keyLine],
    [["↑"], words.keyRecall],
    [["Esc"], words.keyStop],
    [["/"], words.keyCommands],
    [["@"], words.keyMentions],
  ];
  return (
    <Framed label={words.keys} onClose={onClose}>
      <dl className="keys">
        {rows.map(([keys, about]) => (
          <Fragment key={about}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </Fragment>
        ))}
      </dl>
    </Framed>
  );
}
