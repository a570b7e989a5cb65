import { type Bag, bagOf, topicWords } from "../../words/compare/bag.js";

/** How much of what an older statement says a retraction must name. */
const leastShare = 0.4;

/** The ways in which a text says that one thing took the place of another, or is gone. */
const forms: readonly RegExp[] = [
  /^(?<topic>.*?)\b(?:moved|switched|migrated|changed|went|upgraded|downgraded)\b(?<more>.*?)\bfrom (?<old>.+?) to (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<old>.+?) (?:was|is|were|are|has been|have been) replaced (?:by|with) (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\breplaced? (?<old>.+?) (?:by|with) (?<current>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<current>.+?) replaces (?<old>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\b(?:use|prefer) (?<current>\S+(?: \d\S*)?)(?<more>.*?),? (?:instead of|rather than) (?<old>\S+(?: \d\S*)?)(?<rest>.*)$/i,
  /^(?<topic>.*?)\b(?:no longer|(?:have |has )?stopped|(?:do|does) not|don't|doesn't)\b(?<old>.+?)(?: any ?more)?$/i,
];

const gone = /\bno longer\b|\bany ?more\b|\bstopped\b/i;

/** Whether a newer text takes back what an older one says: "no longer …", "moved from … to …", "instead of …". */
export function retracts(older: string, newer: string): boolean {
  const said = bagOf(older);
  if ([...said.weights.values()].some((weight) => weight < 0)) return false;
  return newer
    .split(/(?<=[.!?])\s|;\s*|\s[–—]\s|,? but /)
    .map((clause) => clause.replace(/[.!]$/, ""))
    .some((clause) => forms.some((form) => isAbout(said, clause, form)));
}

function isAbout(said: Bag, clause: string, form: RegExp): boolean {
  const groups = form.exec(clause)?.groups;
  if (groups === undefined) return false;
  const { old = "", current, topic = "", more = "", rest = "" } = groups;
  if (current === undefined && !gone.test(clause)) return false;
  const named = [...topicWords(old), ...topicWords(`${topic} ${more} ${rest}`)];
  const isNew = topicWords(current ?? "").some((word) => !said.weights.has(word));
  if (current !== undefined && !isNew) return false;
  if (!topicWords(old).some((word) => said.weights.has(word))) return false;
  return named.every((word) => said.weights.has(word)) && shareOf(said, named) >= leastShare;
}

function shareOf(said: Bag, words: readonly string[]): number {
  const named = new Set(words);
  let share = 0;
  for (const [word, weight] of said.weights) if (named.has(word)) share += weight;
  return share / said.total;
}
