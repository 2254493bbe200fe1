/** Where the inspector stands and how much room it has; remembered from one visit to the next. */

export type Place = "side" | "bottom" | "floating";

export interface FrameSettings {
  place: Place;
  /** The width at the side and the height at the bottom, in pixels. */
  side: number;
  bottom: number;
  /** The box when it floats. */
  box: { x: number; y: number; width: number; height: number };
}

const KEY = "forestage.inspector.frame";

export const LEAST = 280;

const DEFAULTS: FrameSettings = { place: "side", side: 460, bottom: 380, box: { x: -24, y: 72, width: 560, height: 560 } };

export function remembered(): FrameSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameSettings>;
    const place = (["side", "bottom", "floating"] as const).find((one) => one === stored.place) ?? DEFAULTS.place;
    return { place, side: size(stored.side, DEFAULTS.side), bottom: size(stored.bottom, DEFAULTS.bottom), box: { ...DEFAULTS.box, ...stored.box } };
  } catch {
    return DEFAULTS;
  }
}

export function remember(settings: FrameSettings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing is no reason to stop.
  }
}

function size(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(value, LEAST) : otherwise;
}
