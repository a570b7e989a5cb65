import { type Candidate, estimateKind, tierOf } from "../candidate.js";
import { best, tierWeights } from "../weights.js";

/** The best few records across all kinds. */
export function bestOfAll(candidates: readonly Candidate[]): Candidate[] {
  const weighted = (candidate: Candidate) => candidate.score * tierWeights[tierOf(candidate)];
  const ranked = bestFirst(
    candidates.filter(
      ({ section, kind }) => section !== "avoid" && section !== "reflections" && kind !== estimateKind,
    ),
  );
  const ofTier = (tier: string) => ranked.filter((candidate) => tierOf(candidate) === tier);
  return [
    ...ofTier("semantic").slice(0, best.semantic),
    ...ofTier("episodic").slice(0, best.episodic),
    ...ofTier("skills"),
  ]
    .toSorted((one, other) => weighted(other) - weighted(one))
    .slice(0, best.overall);
}

export function bestFirst(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score);
}
