import { type StatementWords, topicWords } from "../../words/statement-words.js";

/** A retraction must mention this share of the older statement. */
const minShare = 0.4;

/** Phrasings for a replacement or a removal. */
const forms: readonly RegExp[] = [
  /^(?<topic>.*?)\b(?:moved|switched|migrated|changed|went|upgraded|downgraded)\b(?<more>.*?)\bfrom (?<old>.+?) to (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<old>.+?) (?:was|is|were|are|has been|have been) replaced (?:by|with) (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\breplaced? (?<old>.+?) (?:by|with) (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<current>.+?) replaces (?<old>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\b(?:use|prefer) (?<current>\S+(?: \d\S*)?)(?<more>.*?),? (?:instead of|rather than) (?<old>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\b(?:no longer|(?:have |has )?stopped|(?:do|does) not|don't|doesn't)\b(?<old>.+?)(?: any ?more)?$/i,
];

const gone = /\bno longer\b|\bany ?more\b|\bstopped\b/i;

/** Each form has one of them; the patterns take a millisecond to compile. */
const signs = ["from ", "replace", "instead of", "rather than", "no longer", "stopped", "not", "n't"];

/** Whether a newer text retracts an older one: "no longer …", "moved from … to …", "instead of …". */
export function retracts(olderWords: StatementWords, newer: string): boolean {
  const lower = newer.toLowerCase();
  if (!signs.some((sign) => lower.includes(sign))) return false;
  if ([...olderWords.weights.values()].some((weight) => weight < 0)) return false;
  return newer
    .split(/(?<=[.!?])\s|;\s*|\s[–—]\s|,? but /)
    .map((clause) => clause.replace(/[.!]$/, ""))
    .some((clause) => forms.some((form) => isAbout(olderWords, clause, form)));
}

function isAbout(olderWords: StatementWords, clause: string, form: RegExp): boolean {
  const groups = form.exec(clause)?.groups;
  if (groups === undefined) return false;
  const { old = "", current, topic = "", more = "", rest = "" } = groups;
  if (current === undefined && !gone.test(clause)) return false;
  const named = [...topicWords(old), ...topicWords(`${topic} ${more} ${rest}`)];
  const isNew = topicWords(current ?? "").some((word) => !olderWords.weights.has(word));
  if (current !== undefined && !isNew) return false;
  if (!topicWords(old).some((word) => olderWords.weights.has(word))) return false;
  return named.every((word) => olderWords.weights.has(word)) && shareOf(olderWords, named) >= minShare;
}

function shareOf(olderWords: StatementWords, words: readonly string[]): number {
  const named = new Set(words);
  let share = 0;
  for (const [word, weight] of olderWords.weights) if (named.has(word)) share += weight;
  return share / olderWords.total;
}
