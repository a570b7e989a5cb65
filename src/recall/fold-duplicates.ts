import { longestStatement, pairsSharing } from "../words/share-words.js";
import { compareStatements, sameStatement } from "../words/similarity.js";
import { type StatementWords, statementWords } from "../words/statement-words.js";
import type { Candidate, SectionName } from "./candidate.js";
import { leastSharedWords } from "./weights.js";

const comparedSections: readonly SectionName[] = ["strategies", "avoid", "notes", "own-notes", "conventions"];

interface FoldedCandidates {
  kept: readonly Candidate[];
  /** Each that was dropped, with the one that says the same. */
  dropped: ReadonlyMap<Candidate, Candidate>;
}

/** Keeps only the best of records that say the same. */
export function foldDuplicates(candidates: readonly Candidate[]): FoldedCandidates {
  const bestFirst = candidates.filter(isCompared).toSorted((one, other) => other.score - one.score);
  const dropped = new Map<Candidate, Candidate>();
  const isSame = makeComparison();
  for (const [first, second] of pairsSharing(bestFirst.map(wordsIn), leastSharedWords)) {
    const [better, candidate] = [bestFirst[first] as Candidate, bestFirst[second] as Candidate];
    if (dropped.has(better) || !haveSameNumbers(better.statement, candidate.statement)) continue;
    if (isSame(candidate.statement, better.statement)) dropped.set(candidate, better);
  }
  const kept = dropped.size === 0 ? candidates : candidates.filter((candidate) => !dropped.has(candidate));
  return { kept, dropped };
}

/** A number that only one of two texts has makes it another statement, which is seen without comparing their words. */
function haveSameNumbers(one: string, other: string): boolean {
  const isIn = (text: string) => (number: string) => text.includes(number);
  return numbersIn(one).every(isIn(other)) && numbersIn(other).every(isIn(one));
}

function numbersIn(statement: string): readonly string[] {
  return statement.match(/(?<!\S)\d+(?!\S)/g) ?? [];
}

function isCompared({ section, statement }: Candidate): boolean {
  return comparedSections.includes(section) && statement.length <= longestStatement;
}

function wordsIn({ statement }: Candidate): ReadonlySet<string> {
  return new Set(statement.toLowerCase().split(/[\s.,:;!?()"'`]+/));
}

/** Whether two texts say the same; parses each text once. */
function makeComparison(): (one: string, other: string) => boolean {
  const parsed = new Map<string, StatementWords>();
  const parse = (text: string): StatementWords => {
    const words = parsed.get(text) ?? statementWords(text);
    parsed.set(text, words);
    return words;
  };
  return (one, other) => one === other || compareStatements(parse(one), parse(other)) >= sameStatement;
}
