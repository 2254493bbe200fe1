/** An id, shortened where it is long. Pointing at it shows all of it, pressing it copies all of it. */
import { useMessages } from "../../../i18n/index.js";
import { words } from "../../i18n/messages.js";
import { shortId } from "../../log/short-id.js";
import { useHost } from "../host.js";

export function Id({ value }: { value: string }) {
  const t = useMessages(words);
  const host = useHost();
  const copy = () => void navigator.clipboard.writeText(value).then(() => host.tell(t.copiedId(value)));
  return (
    <button type="button" className="fi-id" title={value} aria-label={t.copyId(shortId(value))} onClick={copy} dir="ltr">
      {shortId(value)}
    </button>
  );
}
