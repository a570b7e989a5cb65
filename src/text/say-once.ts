/** A line as the set of its words; numbers count as equal, because line numbers and counts change between tellings. */
export type SaidWords = ReadonlySet<string>;

/** From this share of a line's words in one earlier line on, the line adds nothing. */
const saidShare = 0.85;
/** Shorter lines share their words by chance. */
const leastWords = 4;

export function saidWords(line: string): SaidWords {
  const words = line
    .toLowerCase()
    .replace(/\d+/g, "#")
    .split(/[\s,:;!?()"'`[\]{}=]+/)
    .map((word) => word.replace(/^[.#*-]+|[.…]+$/g, ""));
  return new Set(words.filter((word) => word.length > 1));
}

/** Whether nearly all words of a line stand in one of the earlier lines. */
export function isSaid(line: SaidWords, earlier: readonly SaidWords[], share = saidShare): boolean {
  return line.size >= leastWords && earlier.some((other) => shareOf(line, other) >= share);
}

/** The lines without those that nearly repeat an earlier one, or one of what was told before. */
export function sayOnce(lines: readonly string[], before: readonly string[] = []): string[] {
  const said = before.map(saidWords);
  return lines.filter((line) => {
    const words = saidWords(line);
    if (isSaid(words, said)) return false;
    said.push(words);
    return true;
  });
}

function shareOf(line: SaidWords, other: SaidWords): number {
  let shared = 0;
  for (const word of line) if (other.has(word)) shared += 1;
  return shared / line.size;
}
