/** Once per frame, and about as often where nothing is drawn: in a tab behind others, or without a window. */

export function onNextFrame(draw: () => void): void {
  if (typeof requestAnimationFrame === "undefined" || document.hidden) setTimeout(draw, 50);
  else requestAnimationFrame(draw);
}
