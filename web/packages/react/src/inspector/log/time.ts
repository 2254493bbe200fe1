/** Times as the inspector writes them. */

/** Since the start of the run: `+0.142s`, `+1:02.5`. */
export function relative(milliseconds: number): string {
  const sign = milliseconds < 0 ? "−" : "+";
  return sign + duration(Math.abs(milliseconds), 3);
}

/** How long something took: `142 ms` is `0.14s`, two minutes are `2:00.0`. */
export function duration(milliseconds: number, digits = 2): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(digits)}s`;
  const minutes = Math.floor(milliseconds / 60_000);
  const seconds = ((milliseconds % 60_000) / 1000).toFixed(1).padStart(4, "0");
  return minutes < 60 ? `${minutes}:${seconds}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

/** The time of day, with milliseconds: what one compares with another log. */
export function clock(at: number): string {
  const time = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const millis = String(time.getMilliseconds()).padStart(3, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${millis}`;
}
