/** A 32-bit hash of a stem, the key of the word frequency table. */
export function hashStem(stem: string): number {
  let hash = 2166136261;
  for (let at = 0; at < stem.length; at += 1) hash = Math.imul(hash ^ stem.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return (hash ^ (hash >>> 13)) >>> 0;
}
