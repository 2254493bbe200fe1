/**
 * What the page says, in the languages it speaks. Each feature has a catalogue of its own beside this file or beside its
 * components; a message is a text or a function that makes one, and TypeScript says when a language lacks one.
 *
 *     const words = catalogue({ en: { send: "Send", files: (n: number) => `${n} files` }, nl: { … } });
 *     const { send, files } = useMessages(words);
 */
import { type ReactNode, createContext, useContext, useMemo } from "react";

export const LOCALES = ["en", "nl"] as const;
export type Locale = (typeof LOCALES)[number];

/** Messages with the same names and arguments, and other words. */
type SameShape<Messages> = {
  [Name in keyof Messages]: Messages[Name] extends (...args: infer Args) => string ? (...args: Args) => string : string;
};

export type Catalogue<Messages> = { en: Messages } & Record<Exclude<Locale, "en">, SameShape<Messages>>;

/** Declares a catalogue. English says which messages there are. */
export function catalogue<const Messages extends object>(messages: Catalogue<Messages>): Catalogue<Messages> {
  return messages;
}

const LocaleContext = createContext<Locale | undefined>(undefined);

/** The language of what is inside. Without one, it is the browser's, or English. */
export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  return <LocaleContext value={locale}>{children}</LocaleContext>;
}

/** The language that the browser prefers among ours. */
export function preferredLocale(languages: readonly string[] = navigator.languages): Locale {
  const known = languages.map((language) => language.slice(0, 2)).find((language) => isLocale(language));
  return isLocale(known) ? known : "en";
}

export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

export function useLocale(): Locale {
  const given = useContext(LocaleContext);
  return useMemo(() => given ?? preferredLocale(), [given]);
}

/** The messages of a catalogue in the language of the page. */
export function useMessages<Messages extends object>(messages: Catalogue<Messages>): SameShape<Messages> {
  return messages[useLocale()] as SameShape<Messages>;
}
