/** What a page is told of the world around it: the theme, the colours, the language, how much room there is. */
import { useEffect, useMemo, useState } from "react";
import { useLocale } from "../i18n/index.js";
import type { AppContent } from "./content.js";
import type { HostContext } from "./bridge.js";

/** So high a page may be; beyond that it scrolls. */
export const MAX_HEIGHT = 1200;

/** Names of ours by the names that pages know. */
const VARIABLES: Record<string, string> = {
  "--color-background-primary": "--card",
  "--color-background-secondary": "--panel",
  "--color-background-tertiary": "--hover",
  "--color-text-primary": "--text",
  "--color-text-secondary": "--muted",
  "--color-text-tertiary": "--faint",
  "--color-border-primary": "--border-strong",
  "--color-border-secondary": "--border",
  "--color-ring-primary": "--focus",
  "--font-sans": "--font",
  "--font-mono": "--font-mono",
  "--border-radius-sm": "--radius-sm",
  "--border-radius-md": "--radius",
  "--border-radius-lg": "--radius-lg",
};

export function useSurroundings(content: AppContent, width: number): HostContext {
  const locale = useLocale();
  const theme = useTheme();
  const { tool, title } = content;
  return useMemo(
    () => ({
      theme,
      locale,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      platform: "web",
      userAgent: "forestage",
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      containerDimensions: { maxHeight: MAX_HEIGHT, ...(width > 0 ? { width } : {}) },
      deviceCapabilities: { touch: matches("(pointer: coarse)"), hover: matches("(hover: hover)") },
      styles: { variables: variables() },
      toolInfo: { tool: { name: tool, title, inputSchema: { type: "object" } } },
    }),
    // The colours are those of the theme.
    [locale, theme, tool, title, width],
  );
}

function useTheme(): "light" | "dark" {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => {
    const look = () => setTheme(currentTheme());
    const system = matchMedia("(prefers-color-scheme: dark)");
    const observer = new MutationObserver(look);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", look);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", look);
    };
  }, []);
  return theme;
}

function currentTheme(): "light" | "dark" {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return matches("(prefers-color-scheme: dark)") ? "dark" : "light";
}

function variables(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const given = Object.entries(VARIABLES).map(([theirs, ours]): [string, string] => [theirs, style.getPropertyValue(ours).trim()]);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

function matches(query: string): boolean {
  return typeof matchMedia !== "undefined" && matchMedia(query).matches;
}
