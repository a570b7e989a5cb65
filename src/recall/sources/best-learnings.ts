import type { LearningType } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { liftsOf } from "../../semantic/evidence.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate.js";
import { learnings as limits, learningEvidence as weights } from "../weights.js";
import { type ChosenLearning, learningCandidates, sectionOf } from "./learning-candidates.js";
import type { FindStale, LearningAccess } from "./learning-source.js";

/** A few of the learnings that served best so far, of each type, and of the newest: for an agent whose objective is not known yet. */
export function bestLearningSource({
  stores,
  findStale,
  onAltered,
}: Pick<LearningAccess, "stores" | "findStale" | "onAltered">): CandidateSource {
  return {
    kind: "learning",
    async find() {
      const chosen = await Promise.all(stores.map((store) => bestOf(store, findStale)));
      return learningCandidates(chosen.flat(), onAltered);
    },
  };
}

async function bestOf(store: Repositories, findStale: FindStale): Promise<ChosenLearning[]> {
  const rows = await readBest(store);
  const found = rows.map(({ learning }) => learning);
  const ids = found.map(({ id }) => id);
  const [lifts, links, stale] = await Promise.all([
    liftsOf(store, ids),
    store.links.listFrom(ids),
    findStale(found),
  ]);
  return (
    rows
      // Learnings that made tasks go worse are dropped.
      .filter(({ learning: { id } }) => (lifts.get(id) ?? 0) >= 0)
      .map(({ learning, score, checksum, why }) => {
        const isStale = (stale.get(learning.id) ?? 0) > 0;
        const parts = { relevant: weights.relevant, score: rounded(score) };
        return { learning, checksum, links, isStale, parts, score: rounded(weights.relevant + score), why };
      })
  );
}

async function readBest({ learnings }: Repositories): Promise<(LearningRow & { why: string })[]> {
  const types = Object.keys(sectionOf) as LearningType[];
  const [latest, ...ofTypes] = await Promise.all([
    // Estimates may be among them, which no brief shows.
    learnings.listNewest(2 * limits.newest),
    ...types.map((type) => learnings.list({ types: [type], limit: limitOf(type) })),
  ]);
  const best = ofTypes.flat();
  const known = new Set(best.map(({ learning: { id } }) => id));
  const newest = latest.filter(({ learning: { type } }) => types.includes(type)).slice(0, limits.newest);
  return [
    ...best.map((row) => ({ ...row, why: "served well so far" })),
    ...newest
      .filter(({ learning: { id } }) => !known.has(id))
      .map((row) => ({ ...row, why: "learned last" })),
  ];
}

function limitOf(type: LearningType): number {
  return type === "convention" ? limits.bestConventions : limits.bestOfType;
}
