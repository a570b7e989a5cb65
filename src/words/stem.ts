import { isAscii } from "../text/is-ascii.js";
import { memoize } from "../text/memoize.js";

/**
 * The stem of a lower-case word, as in the full-text index: "migrations" and "migrating" have the same stem. Porter's rules
 * as implemented by SQLite's FTS5, oddities included: "status" becomes "statu".
 */
export const stem = memoize((word) => (isAscii(word) ? stemOf(word) : stemOfBytes(word)));

/** FTS5 works on bytes: "ß" is two consonants. */
function stemOfBytes(word: string): string {
  const bytes = Buffer.from(word).toString("latin1");
  return Buffer.from(stemOf(bytes), "latin1").toString();
}

/** FTS5 does not stem shorter or longer words. */
const fewestBytes = 3;
const mostBytes = 64;

function stemOf(word: string): string {
  if (word.length < fewestBytes || word.length > mostBytes) return word;
  let result = withoutTense(withoutPlural(word));
  if (result.endsWith("y") && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  for (const step of steps) result = replaceEnding(result, step);
  return tidy(result);
}

interface Step {
  /** Each ending with its replacement, longer ones of the same letters first. */
  endings: readonly (readonly [string, string])[];
  minMeasure: number;
  isLast: boolean;
}

const steps: readonly Step[] = [
  {
    endings: pairs(
      "ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e ousli:ous ization:ize " +
        "ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble",
    ),
    minMeasure: 1,
    isLast: false,
  },
  {
    endings: pairs("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"),
    minMeasure: 1,
    isLast: false,
  },
  {
    endings: pairs(
      "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou: ism: ate: iti: ous: ive: ize:",
    ),
    minMeasure: 2,
    isLast: true,
  },
];

function pairs(list: string): (readonly [string, string])[] {
  return list.split(" ").map((pair) => pair.split(":") as [string, string]);
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss")) return word;
  const isLong = (word.endsWith("sses") && word.length > 4) || (word.endsWith("ies") && word.length > 3);
  return word.slice(0, isLong ? -2 : -1);
}

function withoutTense(word: string): string {
  if (word.endsWith("eed") && word.length > 3)
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const root = word.endsWith("ed") ? word.slice(0, -2) : word.endsWith("ing") ? word.slice(0, -3) : word;
  if (root === word || !hasVowel(root)) return word;
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`;
  if (/([^aeioulsz])\1$/.test(root)) return root.slice(0, -1);
  return measure(root) === 1 && endsShort(root) ? `${root}e` : root;
}

function replaceEnding(word: string, { endings, minMeasure, isLast }: Step): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
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

/** Porter's measure: how often a run of vowels is followed by consonants. */
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

/** Here every y except the first letter is a vowel. */
function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (isVowelAt(word, at, false)) return true;
  return false;
}

/** Ends in consonant, vowel, consonant (not w, x or y): such a root has lost its final e. */
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

/** Vowels, and y after a consonant. */
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

/** A stem for comparing texts: unlike in the index, British and American spellings have the same stem. */
export const looseStem = memoize((word) =>
  stem(word.includes("is") || word.includes("ys") ? word.replace(britishEnding, "$1z$2") : word),
);

/** As in "optimise" and "analysed", but not "revise", which belongs to "revision". */
const britishEnding = /(?<=..[^v])([iy])s(e|es|ed|er|ers|ing|ation|ations)$/;

/** A word as stored in the full-text index. */
export function asIndexed(word: string): string {
  return stem(withoutAccents(word));
}

/** FTS5 removes accents from Latin letters only: "й" and "и" stay distinct. */
const accents = /(?<=[A-Za-z])[\u0300-\u036f]+/g;

export function withoutAccents(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFKD").replace(accents, "").normalize("NFKC").replaceAll("ς", "σ");
}
