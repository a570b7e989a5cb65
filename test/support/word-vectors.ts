import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Words of one meaning on each line; each meaning has a direction of its own. */
const meanings = [
  "car automobile vehicle drive",
  "database postgres table query storage",
  "deploy release ship publish",
  "login password credential sign",
  "slow latency sluggish performance",
  "colour paint blue",
];

/** A file of word vectors in which words of one meaning are nearly the same. */
export function writeWordVectors(folder: string, name = "words.txt"): string {
  const lines = meanings.flatMap((line, direction) =>
    line.split(" ").map((word, place) => {
      const vector = meanings.map((_, at) => (at === direction ? 1 : 0.02 * place));
      return `${word} ${vector.join(" ")}\n`;
    }),
  );
  writeFileSync(join(folder, name), lines.join(""));
  return name;
}
