/** A surface with its content to change, and what is done on it. */
import { A2uiSurface } from "@forestage/react/a2ui";
import { useMessages } from "@forestage/react/i18n";
import { useState } from "react";
import { Answer } from "./answer.js";
import { JsonField } from "./json-field.js";
import type { SurfaceItem } from "./surfaces.js";
import { words } from "./words.js";

export function SurfaceStage({ item }: { item: SurfaceItem }) {
  const text = useMessages(words);
  const [content, setContent] = useState(item.content);
  const [done, setDone] = useState<unknown>();
  return (
    <>
      <div className="gallery-stage" data-testid="stage">
        <A2uiSurface content={content} onAction={async (userAction) => setDone({ a2uiAction: { userAction } })} />
      </div>
      <div className="gallery-columns">
        <JsonField label={text.operations} value={content} check={isObject} onChange={(value) => setContent(value as Record<string, unknown>)} />
        <Answer label={text.action} value={done} none={text.noAction} />
      </div>
    </>
  );
}

function isObject(value: unknown): { path: string; message: string }[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? [] : [{ path: "", message: "is not an object" }];
}
