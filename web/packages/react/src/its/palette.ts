/** The colours of the page as they are now, for those who draw with colours and not with names. */
import { useSyncExternalStore } from "react";

export interface Palette {
  text: string;
  muted: string;
  line: string;
  fill: string;
  ground: string;
  accent: string;
}

const NAMES: Record<keyof Palette, string> = {
  text: "--text",
  muted: "--muted",
  line: "--border-strong",
  fill: "--accent-soft",
  ground: "--card",
  accent: "--accent",
};

/** Reads the colours where an element is. */
export function paletteOf(place: HTMLElement): Palette {
  const probe = document.createElement("span");
  place.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return hex(getComputedStyle(probe).color);
  };
  const palette = Object.fromEntries(Object.entries(NAMES).map(([key, name]) => [key, read(name)])) as unknown as Palette;
  probe.remove();
  return palette;
}

/** `rgb(1, 2, 3)` as `#010203`. */
export function hex(colour: string): string {
  const parts = /rgba?\((\d+),? (\d+),? (\d+)/.exec(colour)?.slice(1, 4);
  return parts === undefined ? colour : `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Changes whenever the theme does. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, current, () => "light");
}

function subscribe(tell: () => void): () => void {
  const media = window.matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(tell);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  media.addEventListener("change", tell);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", tell);
  };
}

function current(): string {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
