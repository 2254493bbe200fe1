/** Times and numbers as people say them. */
import type { Locale } from "./i18n.js";

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/**
 * The page's language as it is written where the browser is: whoever reads English in London or Amsterdam does not say PM.
 * Without a word about where, it is how most of the world writes times.
 */
export function regional(locale: Locale, languages: readonly string[] = navigator.languages): string {
  const spoken = languages.find((language) => language.startsWith(`${locale}-`));
  return spoken ?? (locale === "en" ? "en-GB" : locale);
}

/** "3 minutes ago", "in 2 hours". */
export function relativeTime(at: number, now: number, locale: Locale): string {
  const passed = at - now;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(passed) >= size) ?? (["second", 1000] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(passed / size), unit);
}

/** "< 0.1 s", "0.4 s", "12 s", "3 min 5 s". */
export function duration(ms: number, locale: Locale): string {
  const seconds = ms / 1000;
  if (ms < 50) return `< ${new Intl.NumberFormat(locale).format(0.1)} s`;
  if (seconds < 60) {
    const digits = seconds < 10 ? 1 : 0;
    return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(seconds)} s`;
  }
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** "14:05" today, the date before. */
export function clock(at: number, now: number, locale: Locale): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  const options: Intl.DateTimeFormatOptions = sameDay ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(regional(locale), options).format(at);
}

export function count(value: number, locale: Locale): string {
  return new Intl.NumberFormat(locale).format(value);
}
