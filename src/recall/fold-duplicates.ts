import { longestStatement, shareWords } from "../words/share-words.js";
import { compareStatements, sameStatement } from "../words/similarity.js";
import { statementWords } from "../words/statement-words.js";
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
  const dropped = new Map<Candidate, Candidate>();
  const kept: ReturnType<typeof parse>[] = [];
  for (const candidate of candidates.filter(isCompared).toSorted((one, other) => other.score - one.score)) {
    const parsed = parse(candidate);
    const better = kept.find(
      ({ plain, words }) =>
        shareWords(plain, parsed.plain, leastSharedWords) &&
        compareStatements(words, parsed.words) >= sameStatement,
    );
    if (better === undefined) kept.push(parsed);
    else dropped.set(candidate, better.candidate);
  }
  return { kept: candidates.filter((candidate) => !dropped.has(candidate)), dropped };
}

function isCompared({ section, statement }: Candidate): boolean {
  return comparedSections.includes(section) && statement.length <= longestStatement;
}

function parse(candidate: Candidate) {
  const { statement } = candidate;
  // Most pairs share few words, which is seen without comparing what they say.
  const plain = new Set(statement.toLowerCase().split(/[\s.,:;!?()"'`]+/));
  return { candidate, plain, words: statementWords(statement) };
}
