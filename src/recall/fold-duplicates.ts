import { bagOf } from "../search/bag.js";
import { bagSimilarity, sameStatement } from "../search/similarity.js";
import type { Candidate, SectionName } from "./candidate.js";

const comparedSections: readonly SectionName[] = ["strategies", "avoid", "notes", "conventions"];
/** A longer text says more than one thing. */
const maxLength = 600;

/** Of records that say the same, the best one alone. */
export function foldDuplicates(candidates: readonly Candidate[]): Candidate[] {
  const bestFirst = candidates.filter(isCompared).toSorted((one, other) => other.score - one.score);
  const kept: { bag: ReturnType<typeof bagOf> }[] = [];
  const dropped = new Set<Candidate>();
  for (const candidate of bestFirst) {
    const bag = bagOf(candidate.statement);
    if (kept.some((other) => bagSimilarity(bag, other.bag) >= sameStatement)) dropped.add(candidate);
    else kept.push({ bag });
  }
  return candidates.filter((candidate) => !dropped.has(candidate));
}

function isCompared({ section, statement }: Candidate): boolean {
  return comparedSections.includes(section) && statement.length <= maxLength;
}
