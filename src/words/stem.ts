import { memoize } from "../text/memoize.js";

/**
 * The stem of a word of lower-case letters, by Porter's rules: "migrations" and "migrating" have the same one. Words with
 * other characters, and very short or long ones, are their own stem.
 */
export const stem = memoize(stemOf);

function stemOf(word: string): string {
  if (word.length < 3 || word.length > 40 || !/^[a-z]+$/.test(word)) return word;
  let result = withoutPlural(word);
  result = withoutTense(result);
  if (result.endsWith("y") && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  for (const step of steps) result = replaceEnding(result, step);
  return tidy(result);
}

type Endings = readonly (readonly [string, string])[];

const doubleEndings: Endings = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["iser", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["isation", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["ise", "ize"],
  ["yse", "yze"],
];

const singleEndings: Endings = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

const lastEndings: Endings = (
  "al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize" as const
)
  .split(" ")
  .map((ending) => [ending, ending === "sion" ? "s" : ending === "tion" ? "t" : ""] as const);

interface Step {
  endings: ReadonlyMap<string, Endings>;
  minMeasure: number;
  isLast: boolean;
}

const steps: readonly Step[] = [
  { endings: byLastLetter(doubleEndings), minMeasure: 1, isLast: false },
  { endings: byLastLetter(singleEndings), minMeasure: 1, isLast: false },
  { endings: byLastLetter(lastEndings), minMeasure: 2, isLast: true },
];

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const root = word.replace(/(?:ed|ing)$/, "");
  if (root === word || !hasVowel(root)) return word;
  if (/(?:at|bl|iz|is)$/.test(root)) return `${root}e`;
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1);
  return measure(root) === 1 && endsShort(root) ? `${root}e` : root;
}

/** Endings by their last letter: most words have none of them, and that is seen at once. */
function byLastLetter(endings: Endings): ReadonlyMap<string, Endings> {
  const groups = new Map<string, (readonly [string, string])[]>();
  for (const pair of endings) {
    const letter = pair[0].charAt(pair[0].length - 1);
    const group = groups.get(letter);
    if (group === undefined) groups.set(letter, [pair]);
    else group.push(pair);
  }
  return groups;
}

function replaceEnding(word: string, { endings, minMeasure, isLast }: Step): string {
  const found = endings.get(word.charAt(word.length - 1))?.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const [ending, replacement] = found;
  const root = word.slice(0, -ending.length);
  const kept = isLast ? root + replacement : root;
  return measure(kept) >= minMeasure ? root + replacement : word;
}

function tidy(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const root = result.slice(0, -1);
    if (measure(root) > 1 || (measure(root) === 1 && !endsShort(root))) result = root;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** How often a run of vowels is followed by a run of consonants. */
function measure(word: string): number {
  let runs = 0;
  let wasVowel = false;
  for (let at = 0; at < word.length; at += 1) {
    const isVowel = isVowelAt(word, at, wasVowel);
    if (wasVowel && !isVowel) runs += 1;
    wasVowel = isVowel;
  }
  return runs;
}

function hasVowel(word: string): boolean {
  let wasVowel = false;
  for (let at = 0; at < word.length && !wasVowel; at += 1) wasVowel = isVowelAt(word, at, wasVowel);
  return wasVowel;
}

/** Ends in consonant, vowel, consonant, the last one not w, x or y: such a word has lost its final e. */
function endsShort(word: string): boolean {
  if (word.length < 3 || /[wxy]$/.test(word)) return false;
  let [before, last, current] = [true, true, false];
  for (let at = 0; at < word.length; at += 1) {
    before = last;
    last = current;
    current = isVowelAt(word, at, current);
  }
  return !before && last && !current;
}

/** Vowels, and a y behind a consonant. */
function isVowelAt(word: string, at: number, wasVowel: boolean): boolean {
  switch (word.charCodeAt(at)) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
      return true;
    case 121:
      return at > 0 && !wasVowel;
    default:
      return false;
  }
}
