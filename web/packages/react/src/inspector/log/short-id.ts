/** Ids as people can compare them: the beginning and the end of one that is long. */

/** Shorter ids are shown whole. */
const LONGEST = 18;

export function shortId(id: string): string {
  return id.length <= LONGEST ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
