/** When what has changed is drawn. */

/** Once per frame, and about as often where nothing is drawn: in a tab behind others, or without a window. */
function onNextFrame(draw: () => void): void {
  if (typeof requestAnimationFrame === "undefined" || document.hidden) setTimeout(draw, 50);
  else requestAnimationFrame(draw);
}

/** So many milliseconds at most the next drawing waits for the one before, however busy the browser is. */
const PATIENCE = 250;

/** When the browser has done what it had to do: drawn what changed, and heard who typed. */
function whenFree(go: () => void): void {
  if (typeof requestIdleCallback === "undefined") setTimeout(go, 0);
  else requestIdleCallback(go, { timeout: PATIENCE });
}

/**
 * Asks for a drawing, as often as anybody likes. There is at most one per frame, and none while the browser is still busy
 * with the last one: a machine that is slow draws less often, and larger pieces, in place of falling behind.
 */
export function paced(draw: () => void): () => void {
  let isAsked = false;
  let isBusy = false;
  const next = () =>
    onNextFrame(() => {
      isAsked = false;
      isBusy = true;
      draw();
      whenFree(() => {
        isBusy = false;
        if (isAsked) next();
      });
    });
  return () => {
    if (isAsked) return;
    isAsked = true;
    if (!isBusy) next();
  };
}
