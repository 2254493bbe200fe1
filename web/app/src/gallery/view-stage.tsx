/** A view with its JSON to change, and what is done with it. */
import { useMessages } from "@forestage/react/i18n";
import { ViewPanel } from "@forestage/react/view";
import { useState } from "react";
import { Answer } from "./answer.js";
import { JsonField } from "./json-field.js";
import type { ViewItem } from "./views.js";
import { words } from "./words.js";

export function ViewStage({ item }: { item: ViewItem }) {
  const text = useMessages(words);
  const [view, setView] = useState(item.view);
  const [done, setDone] = useState<unknown>();
  return (
    <>
      <div className="gallery-stage" data-testid="stage">
        <ViewPanel view={view} onAction={async (action) => setDone(action)} />
      </div>
      <div className="gallery-columns">
        <JsonField label={text.view} value={view} check={() => []} onChange={setView} />
        <Answer label={text.action} value={done} none={text.noAction} />
      </div>
    </>
  );
}
