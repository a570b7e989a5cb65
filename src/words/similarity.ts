import { type StatementWords, statementWords, tellingWeight } from "./statement-words.js";

/**
 * How similar two statements are, from 0 to 1: 1 for the same specific words in any order and inflection, at least 0.9 for a
 * light rewording, below 0.9 if a value, a negation or the order of two things differs, at most 0.3 for texts about
 * different things. Symmetric, and independent of other texts.
 */
export function similarity(one: string, other: string): number {
  return one === other ? 1 : compareStatements(statementWords(one), statementWords(other));
}

/** From this similarity on two texts are the same statement, and are merged as duplicates. */
export const sameStatement = 0.9;

const belowSame = 0.88;
const opposite = 0.6;

/** `similarity` of texts that are already parsed. */
export function compareStatements(one: StatementWords, other: StatementWords): number {
  const forth = shareOf(one, other);
  const back = shareOf(other, one);
  const score = (forth.shared + back.shared) / (one.total + other.total);
  const contradicted = forth.contradicted + back.contradicted;
  if (contradicted > 0) {
    return Math.min(score - contradicted / 2 / (one.total + other.total), opposite);
  }
  const isReplaced = forth.missesWord && back.missesWord;
  const isOther = isReplaced || forth.missesValue || back.missesValue || hasSwappedRoles(one, other);
  return isOther ? Math.min(score, belowSame) : score;
}

interface Share {
  shared: number;
  /** The weight of words that one text affirms and the other negates. */
  contradicted: number;
  /** The other text lacks a specific word. */
  missesWord: boolean;
  missesValue: boolean;
}

function shareOf(one: StatementWords, other: StatementWords): Share {
  const share = { shared: 0, contradicted: 0, missesWord: false, missesValue: false };
  for (const [word, signed] of one.weights) {
    const weight = Math.abs(signed);
    const there = other.weights.get(word) ?? other.implied.get(word);
    if (there === undefined) {
      if (weight >= tellingWeight) share.missesWord = true;
      if (one.values.has(word)) share.missesValue = true;
      continue;
    }
    share.shared += weight;
    if (signed < 0 !== there < 0) share.contradicted += weight;
  }
  // "Berlin's office moved to Berlin" repeats a word where "Berlin's office moved to Rome" has another one.
  for (const [word, times] of one.repeats) {
    if (times > (other.repeats.get(word) ?? 1)) share.missesWord = true;
  }
  return share;
}

/** "Lint before test" and "test before lint": the words before and after are swapped. */
function hasSwappedRoles(one: StatementWords, other: StatementWords): boolean {
  for (const [role, word] of one.roles) {
    const counterpart = other.roles.get(role);
    if (counterpart === undefined || counterpart === word) continue;
    if (other.weights.has(word) && one.weights.has(counterpart)) return true;
  }
  return false;
}
