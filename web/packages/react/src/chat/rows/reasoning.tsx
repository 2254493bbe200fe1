/** What an agent thinks: live while it does, folded when it has. */
import type { ReasoningMessage } from "@ag-ui/core";
import { duration, useLocale, useMessages } from "../../i18n/index.js";
import { Icon } from "../../ui/index.js";
import { Markdown } from "../markdown/index.js";
import { words } from "../words.js";

export function Reasoning({ message, streaming, from, to }: { message: ReasoningMessage; streaming: boolean; from?: number; to?: number }) {
  const messages = useMessages(words);
  const locale = useLocale();
  const took = from !== undefined && to !== undefined && to - from >= 500 ? duration(to - from, locale) : undefined;
  const title = streaming ? messages.thinking : took === undefined ? messages.thought : messages.thoughtFor(took);
  return (
    <details className="fs-reasoning" open={streaming} data-streaming={streaming}>
      <summary>
        <Icon name="think" />
        <span className={streaming ? "fs-shimmering" : undefined}>{title}</span>
        <Icon name="chevron" className="fs-turn fs-mirror" />
      </summary>
      <div className="fs-reasoned">
        <Markdown text={message.content} streaming={streaming} />
      </div>
    </details>
  );
}
