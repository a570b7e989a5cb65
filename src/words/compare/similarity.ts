import { type StatementWords, statementWords, tellingWeight } from "./statement-words.js";

/**
 * How much two texts say the same, from 0 to 1, without knowing any other text: 1 for the same telling words in any order
 * and inflection, at least 0.9 for a light rewording, below 0.9 as soon as a value, a negation or the order of two things
 * differs, at most 0.3 for texts about different things. Symmetric.
 */
export function similarity(one: string, other: string): number {
  return one === other ? 1 : compareStatements(statementWords(one), statementWords(other));
}

/** What "the same statement in other words" begins with; duplicates are merged from here on. */
export const sameStatement = 0.9;

const belowSame = 0.88;
const opposite = 0.6;

/** `similarity` of texts whose bags are at hand. */
export function compareStatements(one: StatementWords, other: StatementWords): number {
  const forth = shareOf(one, other);
  const back = shareOf(other, one);
  const score = (forth.shared + back.shared) / (one.total + other.total);
  const contradicted = forth.contradicted + back.contradicted;
  if (contradicted > 0) {
    return Math.min(score - contradicted / 2 / (one.total + other.total), opposite);
  }
  const isReplaced = forth.isTelling && back.isTelling;
  const isOther = isReplaced || forth.missesValue || back.missesValue || hasSwappedRoles(one, other);
  return isOther ? Math.min(score, belowSame) : score;
}

interface Share {
  shared: number;
  /** The weight of words that one text affirms and the other negates. */
  contradicted: number;
  /** A word that matters is in this text alone. */
  isTelling: boolean;
  missesValue: boolean;
}

function shareOf(one: StatementWords, other: StatementWords): Share {
  const share = { shared: 0, contradicted: 0, isTelling: false, missesValue: false };
  for (const [word, signed] of one.weights) {
    const weight = Math.abs(signed);
    const there = other.weights.get(word) ?? other.implied.get(word);
    if (there === undefined) {
      if (weight >= tellingWeight) share.isTelling = true;
      if (one.values.has(word)) share.missesValue = true;
      continue;
    }
    share.shared += weight;
    if (signed < 0 !== there < 0) share.contradicted += weight;
  }
  // "Berlin's office moved to Berlin" says it twice; "Berlin's office moved to Rome" has something else in its place.
  for (const [word, times] of one.repeats) {
    if (times > (other.repeats.get(word) ?? 1)) share.isTelling = true;
  }
  return share;
}

/** "Lint before test" and "test before lint": each has behind the word what the other has in front of it. */
function hasSwappedRoles(one: StatementWords, other: StatementWords): boolean {
  for (const [role, word] of one.roles) {
    const counterpart = other.roles.get(role);
    if (counterpart === undefined || counterpart === word) continue;
    if (other.weights.has(word) && one.weights.has(counterpart)) return true;
  }
  return false;
}
