import { type Candidate, tierOf, tierWeights } from "../candidate.js";

const mostSemantic = 5;
const mostEpisodic = 3;
const mostOverall = 5;

/** The few that matter most of all kinds together: five semantic ones, three tasks and the skills, of which the best five. */
export function bestOfAll(candidates: readonly Candidate[]): Candidate[] {
  const weighted = (candidate: Candidate) => candidate.score * tierWeights[tierOf(candidate)];
  const ranked = bestFirst(
    candidates.filter(({ section }) => section !== "avoid" && section !== "reflections"),
  );
  const ofTier = (tier: string) => ranked.filter((candidate) => tierOf(candidate) === tier);
  return [
    ...ofTier("semantic").slice(0, mostSemantic),
    ...ofTier("episodic").slice(0, mostEpisodic),
    ...ofTier("skills"),
  ]
    .toSorted((one, other) => weighted(other) - weighted(one))
    .slice(0, mostOverall);
}

export function bestFirst(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score);
}
