/** What can be done by writing a slash: a list above the composer, chosen with arrows and Enter. */
import { useMessages } from "../../i18n/index.js";
import { words } from "../words.js";

export interface Command {
  name: string;
  about: string;
  run: () => void;
}

/** The commands that what is written may mean. */
export function matching(commands: readonly Command[], text: string): Command[] {
  if (!/^\/[\w-]*$/.test(text)) return [];
  return commands.filter(({ name }) => `/${name}`.startsWith(text.toLowerCase()));
}

export function CommandMenu({ commands, chosen, onRun }: { commands: readonly Command[]; chosen: number; onRun: (command: Command) => void }) {
  const messages = useMessages(words);
  if (commands.length === 0) return null;
  return (
    <ul className="fs-commands" role="listbox" aria-label={messages.commands}>
      {commands.map((command, at) => (
        <li key={command.name} role="option" aria-selected={at === chosen} onClick={() => onRun(command)}>
          <code>/{command.name}</code> <span>{command.about}</span>
        </li>
      ))}
    </ul>
  );
}
