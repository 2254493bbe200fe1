/**
 * Where the person writes. Enter sends and Shift+Enter does not, text that an input method is still making is left alone,
 * files come by button, paste or drop, the arrow up brings back what was said before, a slash offers commands, an at sign
 * other agents to ask, and Stop stands where Send was.
 */
import type { ContentPart } from "@ag-ui/core";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { FileTrigger } from "react-aria-components";
import { regional, useLocale, useMessages } from "../../i18n/index.js";
import { IconButton } from "../../ui/index.js";
import { words } from "../words.js";
import { MAX_BYTES, type Picked, contentOf, picked } from "./attach.js";
import { type Command, type Mention, type Offer, OfferMenu, addressed, matching, meant, offerId } from "./command-menu.js";
import { PickedFiles } from "./picked-files.js";
import { useDictation } from "./use-dictation.js";
import { useDraft } from "./use-draft.js";
import { useDrop } from "./use-drop.js";
import "./composer.css";

export interface ComposerHandle {
  focus: () => void;
  /** Puts a text in front of what is written. */
  insert: (text: string) => void;
}

export interface ComposerProps {
  /** The agent is told where the message is for another one. */
  onSend: (content: string | ContentPart[], agent?: string) => void;
  onStop?: () => void;
  /** Escape in an empty field while the agent talks. Default: stops it. */
  onEscape?: () => void;
  running: boolean;
  agent: string;
  /** What was said before, the newest last. */
  history?: readonly string[];
  commands?: readonly Command[];
  /** Who else can be asked, by beginning with `@` and their name. */
  mentions?: readonly Mention[];
  /** What holds for the next message, in words. */
  note?: string | undefined;
  /** People may speak in place of writing, where their browser understands that by itself. */
  dictation?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
  before?: ReactNode;
  /** What is written is kept in this tab under this name, until it is sent. */
  draftKey?: string;
  ref?: Ref<ComposerHandle>;
}

export function Composer({ onSend, onStop, onEscape = onStop, running, agent, history = [], commands = [], mentions = [], note, dictation = false, disabled = false, autoFocus = false, before, draftKey, ref }: ComposerProps) {
  const messages = useMessages(words);
  const area = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLFormElement>(null);
  const [text, setText] = useDraft(draftKey);
  const [files, setFiles] = useState<Picked[]>([]);
  const [problem, setProblem] = useState<string>();
  const [recalled, setRecalled] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [folded, setFolded] = useState(false);
  const list = useId();
  const empty = text.trim() === "" && files.length === 0;
  const spoken = useDictation(dictation, regional(useLocale()), (more) => setText((before) => (before.trim() === "" ? more : `${before.trimEnd()} ${more}`)));

  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    insert: (more) => {
      setText((before) => more + before);
      area.current?.focus();
    },
  }));

  const add = async (list: Iterable<File>) => {
    const all = [...list];
    const large = all.find(({ size }) => size > MAX_BYTES);
    setProblem(large === undefined ? undefined : messages.tooLarge(large.name));
    const read = await Promise.all(all.filter(({ size }) => size <= MAX_BYTES).map(picked));
    setFiles((before) => [...before, ...read]);
    area.current?.focus();
  };
  const dropping = useDrop(box, (list) => void add(list));

  const send = () => {
    if (empty || disabled) return;
    const to = addressed(mentions, text.trim());
    onSend(contentOf(to.text, files), to.agent);
    setText("");
    setFiles([]);
    setRecalled(0);
    setProblem(undefined);
  };

  const run = (command: Command) => {
    setText("");
    command.run();
  };
  const mention = ({ name }: Mention) => {
    setText(`@${name} `);
    area.current?.focus();
  };
  const offers = folded
    ? []
    : [
        ...matching(commands, text).map((command): Offer => ({ text: `/${command.name}`, about: command.about, take: () => run(command) })),
        ...meant(mentions, text).map((one): Offer => ({ text: `@${one.name}`, about: one.about, take: () => mention(one) })),
      ];

  const recall = (step: number) => {
    const at = Math.min(Math.max(recalled + step, 0), history.length);
    setRecalled(at);
    setText(at === 0 ? "" : (history[history.length - at] ?? ""));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const up = event.key === "ArrowUp";
    const down = event.key === "ArrowDown";
    const isOffered = offers.length > 0;
    if (isOffered && (up || down)) setChosen((chosen + (up ? -1 : 1) + offers.length) % offers.length);
    else if (isOffered && (event.key === "Enter" || event.key === "Tab")) offers[chosen]?.take();
    else if (isOffered && event.key === "Escape") setFolded(true);
    else if (event.key === "Enter" && !event.shiftKey) send();
    else if (up && (text === "" || recalled > 0)) recall(1);
    else if (down && recalled > 0) recall(-1);
    else if (event.key === "Escape" && running && text === "") onEscape?.();
    else return;
    event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  };

  return (
    <form
      ref={box}
      className="fs-composer"
      data-dropping={dropping}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {before}
      {dropping && <p className="fs-drop">{messages.dropHere}</p>}
      <OfferMenu id={list} label={text.startsWith("@") ? messages.mentions : messages.commands} offers={offers} chosen={chosen} />
      <PickedFiles files={files} onRemove={(id) => setFiles(files.filter((file) => file.id !== id))} />
      <div className="fs-composer-row">
        <FileTrigger allowsMultiple onSelect={(list) => list !== null && void add(list)}>
          <IconButton icon="attach" label={messages.attach} isDisabled={disabled} />
        </FileTrigger>
        <div className="fs-grow" data-text={`${text}\n`}>
          <textarea
            ref={area}
            rows={1}
            autoFocus={autoFocus}
            value={text}
            disabled={disabled}
            aria-label={messages.writeTo(agent)}
            placeholder={messages.writeTo(agent)}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={offers.length > 0 ? list : undefined}
            aria-activedescendant={offers.length > 0 ? offerId(list, chosen) : undefined}
            onChange={({ target }) => {
              setText(target.value);
              setFolded(false);
              setRecalled(0);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
        </div>
        {spoken !== undefined && (
          <IconButton icon="microphone" label={spoken.isListening ? messages.stopListening : messages.dictate} aria-pressed={spoken.isListening} isDisabled={disabled} onPress={spoken.toggle} />
        )}
        {running && onStop !== undefined && empty ? (
          <IconButton kind="primary" icon="stop" label={messages.stop} onPress={onStop} className="fs-round" />
        ) : (
          <IconButton kind="primary" icon={running ? "queue" : "send"} type="submit" label={running ? messages.queue : messages.send} isDisabled={empty || disabled} className="fs-round" />
        )}
      </div>
      {(problem ?? note) !== undefined && (
        <p className="fs-composer-note" role={problem === undefined ? undefined : "alert"}>
          {problem ?? note}
        </p>
      )}
    </form>
  );
}
