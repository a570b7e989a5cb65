/**
 * The stem of a word of lower-case letters, by Porter's rules: "migrations" and "migrating" have the same one. Words with
 * other characters, and very short or long ones, are their own stem.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 40 || !/^[a-z]+$/.test(word)) return word;
  let result = withoutPlural(word);
  result = withoutTense(result);
  if (result.endsWith("y") && hasVowel(result.slice(0, -1))) result = `${result.slice(0, -1)}i`;
  for (const [endings, minMeasure] of steps) result = replaceEnding(result, endings, minMeasure);
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

const steps: readonly (readonly [Endings, number])[] = [
  [doubleEndings, 1],
  [singleEndings, 1],
  [lastEndings, 2],
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

function replaceEnding(word: string, endings: Endings, minMeasure: number): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const [ending, replacement] = found;
  const root = word.slice(0, -ending.length);
  const kept = endings === lastEndings ? root + replacement : root;
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
  return (shape(word).match(/v+c+/g) ?? []).length;
}

function hasVowel(word: string): boolean {
  return shape(word).includes("v");
}

/** Ends in consonant, vowel, consonant, the last one not w, x or y: such a word has lost its final e. */
function endsShort(word: string): boolean {
  return shape(word).endsWith("cvc") && !/[wxy]$/.test(word);
}

function shape(word: string): string {
  let shapes = "";
  for (const letter of word) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && shapes.endsWith("c"));
    shapes += isVowel ? "v" : "c";
  }
  return shapes;
}
