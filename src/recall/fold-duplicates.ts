import type { Candidate, SectionName } from "./candidate.js";

const comparedSections: readonly SectionName[] = ["strategies", "avoid", "notes", "conventions"];
/** A longer text says more than one thing. */
const maxLength = 600;
/** Texts that share fewer of their words do not say the same, however they are read. */
const mostWords = 0.7;

/** Of records that say the same, the best one alone. The code that compares statements is loaded where two are alike. */
export async function foldDuplicates(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const bestFirst = candidates.filter(isCompared).toSorted((one, other) => other.score - one.score);
  const words = new Map(bestFirst.map((candidate) => [candidate, wordsIn(candidate.statement)]));
  const dropped = new Set<Candidate>();
  let isSame: ((one: string, other: string) => boolean) | undefined;
  for (const [place, candidate] of bestFirst.entries()) {
    for (const better of bestFirst.slice(0, place)) {
      if (dropped.has(better) || !isLike(words.get(candidate), words.get(better))) continue;
      isSame ??= (await import("./same-statement.js")).makeSameness();
      if (isSame(candidate.statement, better.statement)) dropped.add(candidate);
    }
  }
  return dropped.size === 0 ? candidates : candidates.filter((candidate) => !dropped.has(candidate));
}

function isCompared({ section, statement }: Candidate): boolean {
  return comparedSections.includes(section) && statement.length <= maxLength;
}

function wordsIn(statement: string): ReadonlySet<string> {
  return new Set(statement.toLowerCase().split(/[\s.,:;!?()"'`]+/));
}

function isLike(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of smaller) if (larger.has(word)) shared += 1;
  return shared >= smaller.size * mostWords;
}
