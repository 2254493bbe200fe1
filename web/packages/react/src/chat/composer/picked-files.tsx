/** Files that will be sent with the next message. */
import { useMessages } from "../../i18n/index.js";
import { Icon, IconButton } from "../../ui/index.js";
import { words } from "../words.js";
import type { Picked } from "./attach.js";

export function PickedFiles({ files, onRemove }: { files: readonly Picked[]; onRemove: (id: string) => void }) {
  const messages = useMessages(words);
  if (files.length === 0) return null;
  return (
    <ul className="fs-picked" aria-label={messages.attachments}>
      {files.map((file) => (
        <li key={file.id}>
          <Preview file={file} />
          <span>{file.name}</span>
          <IconButton size="sm" icon="close" label={messages.remove(file.name)} onPress={() => onRemove(file.id)} />
        </li>
      ))}
    </ul>
  );
}

function Preview({ file: { part, type } }: { file: Picked }) {
  if (part.type !== "image" || part.source.type !== "data") return <Icon name="file" />;
  return <img src={`data:${type};base64,${part.source.value}`} alt="" />;
}
