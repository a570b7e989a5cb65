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
  /** By its first character, the shortest opener that nothing closes: nothing closes a longer one either. */
  const unclosed = new Map<string, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const opener = openerOf(lines[index]?.text ?? "");
    if (opener === undefined || opener.length >= (unclosed.get(opener.charAt(0)) ?? Number.POSITIVE_INFINITY))
      continue;
    const closing = indexOfCloser(lines, index + 1, opener);
    if (closing === undefined) {
      unclosed.set(opener.charAt(0), opener.length);
      continue;
    }
    const first = lines[index]?.number ?? 0;
    for (; index < closing; index += 1) opaque.set(lines[index]?.number ?? 0, first);
    opaque.set(lines[closing]?.number ?? 0, first);
  }
  return opaque;
}

function openerOf(text: string): string | undefined {
  return text === "<!--" ? text : /^(?:`{3,}|~{3,})/.exec(text)?.[0];
}

function indexOfCloser(lines: readonly Line[], from: number, opener: string): number | undefined {
  for (let index = from; index < lines.length; index += 1) {
    if (closes(lines[index]?.text ?? "", opener)) return index;
  }
  return undefined;
}

function closes(text: string, opener: string): boolean {
  if (opener === "<!--") return text === "-->";
  return text.startsWith(opener) && text.replaceAll(opener.charAt(0), "").trim() === "";
}
