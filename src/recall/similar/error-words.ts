import { unique } from "../../text/unique.js";
import { looseStem } from "../../words/stem.js";
import { similarTasks as weights } from "../weights.js";
import { backgroundWeight, stemsOf } from "./terms.js";

/** What any failure says: a comparison of values, or that something failed. */
const unspecific = new Set(
  (
    "actual assert assertion assertionerror bash be code command equal equality error exception exit expect expected fail failed got " +
    "is object objectis received tobe toequal want warning"
  )
    .split(" ")
    .map(looseStem),
);

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const paths = /(?:[\w.@~-]*\/)+[\w.@-]+/g;
const quotedNames = /'[^'\s]*'|"[^"\s]*"|`[^`\s]*`/g;
const ids = /\b[0-9a-f]{7,}\b/gi;
const numbers = /\b\d+\b/g;

/** The words of an error that its next occurrence has, too: no paths, names, values and ids. */
export function errorWords(message: string): string[] {
  const text = [escapes, paths, quotedNames, ids, numbers].reduce(
    (rest, values) => rest.replace(values, " "),
    message,
  );
  return unique(stemsOf(text)).filter((stem) => !unspecific.has(stem));
}

/** How much of an error is repeated, from 0 to 1: the best of all pairs, less if there is little to compare. */
export function errorSimilarity(
  current: readonly (readonly string[])[],
  met: readonly (readonly string[])[],
): number {
  return Math.max(0, ...current.flatMap((one) => met.map((other) => sharedShare(one, other))));
}

function sharedShare(one: readonly string[], other: readonly string[]): number {
  const weigh = (words: readonly string[]) => words.reduce((sum, word) => sum + backgroundWeight(word), 0);
  const there = new Set(other);
  const shared = weigh(one.filter((word) => there.has(word)));
  if (shared === 0) return 0;
  return (shared / Math.min(weigh(one), weigh(other))) * Math.min(1, shared / weights.tellingError);
}
