/** A number of 32 bits for a stem, by which the table of word frequencies is written and read. */
export function hashStem(stem: string): number {
  let hash = 2166136261;
  for (let at = 0; at < stem.length; at += 1) hash = Math.imul(hash ^ stem.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return (hash ^ (hash >>> 13)) >>> 0;
}
