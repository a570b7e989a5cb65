import { wrapWords } from "./wrap-words.js";

/** A diff whose long lines go on in further lines that have their sign, too. */
export function fitDiff(diff: string, width: number): string {
  return diff
    .split("\n")
    .flatMap((line) =>
      /^[-+ ] /.test(line)
        ? wrapWords(line.slice(2), width - 2).map((row) => `${line.slice(0, 2)}${row}`)
        : [line],
    )
    .join("\n");
}
