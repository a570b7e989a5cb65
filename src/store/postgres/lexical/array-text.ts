/** A list of texts as one value, for `?::text[]`. PostgreSQL has no NUL, and half of a surrogate pair is no text. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${storable(text).replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** A list of numbers as one value, for `?::integer[]`. */
export function numberArray(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}

/** An array that was selected as text. */
export function parseNumbers(array: string): number[] {
  return JSON.parse(`[${array.slice(1, -1)}]`) as number[];
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", " ");
}
