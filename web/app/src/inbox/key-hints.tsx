/** The keys of the inbox, for those who have some. */
import type { InterruptRecord } from "@forestage/client";
import { useMessages } from "@forestage/react";
import { askedOf, kindOfQuestion } from "@forestage/react/chat";
import { inboxWords } from "./words.js";

export function KeyHints({ record }: { record: InterruptRecord }) {
  const words = useMessages(inboxWords);
  const isForm = kindOfQuestion(record) === "form";
  const mayEdit = kindOfQuestion(record) !== "approval" || askedOf(record).argsSchema !== undefined;
  const keys: [string, string][] = [["J K", words.move]];
  if (!isForm) keys.push(["A", words.approve]);
  if (mayEdit) keys.push(["E", words.edit]);
  if (!isForm) keys.push(["R", words.reject]);
  return (
    <p className="inbox-keys" aria-label={words.keys}>
      {keys.map(([key, what]) => (
        <span key={key}>
          {key.split(" ").map((one) => (
            <kbd key={one}>{one}</kbd>
          ))}{" "}
          {what}
        </span>
      ))}
    </p>
  );
}
