/** What a person prefers, kept in this browser. */
import { type Locale, isLocale, preferredLocale } from "@forestage/react";
import { create } from "zustand";

export type Theme = "light" | "dark" | "system";

export interface Settings {
  theme: Theme;
  locale: Locale;
  direction: "ltr" | "rtl";
  /** Whether the inspector is shown. */
  inspector: boolean;
  lastAgent: string | undefined;
  set: (change: Partial<Omit<Settings, "set">>) => void;
}

const KEY = "forestage.settings";

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

export const useSettings = create<Settings>((set, get) => {
  const { theme = "system", locale, direction = "ltr", inspector = false, lastAgent } = kept();
  return {
    theme,
    locale: isLocale(locale) ? locale : preferredLocale(),
    direction,
    inspector,
    lastAgent,
    set: (change) => {
      set(change);
      const { set: _, ...all } = get();
      localStorage.setItem(KEY, JSON.stringify(all));
      applied(get());
    },
  };
});

/** Shows the page as it is wanted. */
export function applied({ theme, locale, direction }: Settings): void {
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.dataset["theme"] = theme;
  root.lang = locale;
  root.dir = direction;
}
