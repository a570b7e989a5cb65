import { compareStatements, sameStatement } from "../../words/similarity.js";
import { isTopic, type StatementWords, statementWords, topicWords } from "../../words/statement-words.js";
import { type Clause, changedValue, clausesOf } from "./changed-value.js";

/** "One of the maintainers is Alice" stays true beside "… is Bob". */
const isOneOfMany = /^(?:one|some|part|parts|an?|another|any|most|many|several|among)\b/i;

/** Longer texts make more than one statement. */
const maxLength = 600;

/**
 * Whether a newer statement supersedes an older one ("We use PostgreSQL 16" after "We use PostgreSQL 14", "no longer",
 * "instead of") or contradicts it ("always" and "never"). Undefined when in doubt: a wrong answer would hide what is still
 * true.
 */
export function relationToOlder(older: string, newer: string): "supersedes" | "contradicts" | undefined {
  return relationOfParsed(parseStatement(older), parseStatement(newer));
}

/** The same for texts that are compared with others, too. */
export function relationOfParsed(
  older: ParsedStatement,
  newer: ParsedStatement,
): "supersedes" | "contradicts" | undefined {
  if (older.text.length > maxLength || newer.text.length > maxLength) return undefined;
  const [before, after] = [older.words, newer.words];
  if (compareStatements(before, after) >= sameStatement) return undefined;
  if (retracts(before, newer.text)) return "supersedes";
  if (isOpposite(before, after)) return "contradicts";
  if (isOneOfMany.test(older.text.trim())) return undefined;
  const [statement, ...more] = older.clauses;
  if (statement === undefined || more.length > 0) return undefined;
  for (const clause of newer.clauses) {
    const relation = changedValue(statement, clause);
    if (relation !== undefined) return relation;
  }
  return undefined;
}

/** The same words, with at least one negated in only one of the texts. */
function isOpposite(one: StatementWords, other: StatementWords): boolean {
  let flips = 0;
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const [word, weight] of here.weights) {
      const counterpart = there.weights.get(word);
      if (counterpart === undefined && (isTopic(weight) || here.values.has(word))) return false;
      if (counterpart !== undefined && isTopic(weight) && weight < 0 !== counterpart < 0) flips += 1;
    }
  }
  return flips > 0;
}

/** A text, parsed to be compared with others. */
interface ParsedStatement {
  text: string;
  words: StatementWords;
  clauses: readonly Clause[];
}

export function parseStatement(text: string): ParsedStatement {
  return { text, words: statementWords(text), clauses: clausesOf(text) };
}

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

/** Whether a newer text retracts an older one: "no longer …", "moved from … to …", "instead of …". */
function retracts(olderWords: StatementWords, newer: string): boolean {
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
