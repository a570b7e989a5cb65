/** Ignores case, white space, Unicode form and final punctuation. */
export function normaliseText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.!]+$/, "");
}

/** A 53-bit hash in hexadecimal for finding candidates; callers compare the texts where a collision would matter. */
export function fingerprint(text: string): string {
  // Nothing is looked up in the loop: a start hashes thousands of characters, and V8 would take milliseconds to optimise more steps.
  const { imul } = Math;
  const { length } = text;
  const forHigh = 2654435761;
  const forLow = 1597334677;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    high = imul(high ^ code, forHigh);
    low = imul(low ^ code, forLow);
  }
  high = imul(high ^ (high >>> 16), 2246822507) ^ imul(low ^ (low >>> 13), 3266489909);
  low = imul(low ^ (low >>> 16), 2246822507) ^ imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, "0");
}
