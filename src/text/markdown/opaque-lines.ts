/** A line by what it says, with its number in the file. */
interface Line {
  number: number;
  text: string;
}

/** A quick check without splitting the file into lines; false means there are no opaque lines. */
export function mayHaveOpaqueLines(bytes: Buffer): boolean {
  // First without the line end: what begins with a frequent byte takes several times as long to find.
  const isOpened = (opener: string) =>
    bytes.includes(opener) && (bytes.includes(`\n${opener}`) || bytes.subarray(0, 16).includes(opener));
  return openers.some(isOpened) || (bytes.includes("\r") && isOpened("<!--\r\n"));
}

const openers = ["```", "~~~", "<!--\n"];

/**
 * The lines of fenced code and of comments whose delimiters are on separate lines, by their number, with that of the first one.
 * What looks like a note there is an example or was commented out. An opener without a closer is ignored.
 */
export function opaqueLines(lines: readonly Line[]): Map<number, number> {
  const opaque = new Map<number, number>();
  const closers = closersOf(lines);
  for (let index = 0; index < lines.length; index += 1) {
    const opener = openerOf(lines[index]?.text ?? "");
    const closing =
      opener === undefined ? undefined : closers.get(opener.charAt(0))?.next(index, opener.length);
    if (closing === undefined) continue;
    const first = lines[index]?.number ?? 0;
    for (; index < closing; index += 1) opaque.set(lines[index]?.number ?? 0, first);
    opaque.set(lines[closing]?.number ?? 0, first);
  }
  return opaque;
}

function openerOf(text: string): string | undefined {
  return text === "<!--" ? text : /^(?:`{3,}|~{3,})/.exec(text)?.[0];
}

/** What a line closes: an opener with this first character, and at most this long. */
function closingOf(text: string): { character: string; length: number } | undefined {
  if (text === "-->") return { character: "<", length: "<!--".length };
  const fence = openerOf(text);
  if (fence === undefined || fence === "<!--") return undefined;
  if (text.replaceAll(fence.charAt(0), "").trim() !== "") return undefined;
  return { character: fence.charAt(0), length: fence.length };
}

/** The closers of a file by the first character of what they close. Each line is looked at once, however many openers have none. */
function closersOf(lines: readonly Line[]): Map<string, Closers> {
  const closers = new Map<string, Closers>();
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const closing = closingOf(lines[index]?.text ?? "");
    if (closing === undefined) continue;
    const known = closers.get(closing.character) ?? new Closers();
    closers.set(closing.character, known);
    known.addAbove(index, closing.length);
  }
  return closers;
}

/** From the last one of a file to the first. */
class Closers {
  readonly #found: { index: number; length: number; longestFromHere: number }[] = [];

  addAbove(index: number, length: number): void {
    const longestFromHere = Math.max(length, this.#found.at(-1)?.longestFromHere ?? 0);
    this.#found.push({ index, length, longestFromHere });
  }

  /** The first one below a line that is as long as its opener. Those above are not asked for again. */
  next(opener: number, length: number): number | undefined {
    while ((this.#found.at(-1)?.index ?? Number.POSITIVE_INFINITY) <= opener) this.#found.pop();
    if ((this.#found.at(-1)?.longestFromHere ?? 0) < length) return undefined;
    return this.#found.findLast((closer) => closer.length >= length)?.index;
  }
}
