import type { LearningType } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { liftsOf } from "../../semantic/evidence/record-lifts.js";
import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate-source.js";
import { learnings, learningEvidence as weights } from "../weights.js";
import { type ChosenLearning, learningCandidates, sectionOf } from "./learning-candidates.js";
import type { FindStale } from "./learning-source.js";

/** A few of the learnings that served best so far, of each type: for an agent that has not been told yet what to do. */
export function bestLearningSource(stores: readonly Repositories[], findStale: FindStale): CandidateSource {
  return {
    kind: "learning",
    async find() {
      const chosen: ChosenLearning[] = [];
      for (const store of stores) chosen.push(...(await bestOf(store, findStale)));
      return learningCandidates(stores, chosen);
    },
  };
}

async function bestOf(store: Repositories, findStale: FindStale): Promise<ChosenLearning[]> {
  const rows = [];
  for (const type of Object.keys(sectionOf) as LearningType[])
    rows.push(...(await store.learnings.list({ types: [type], limit: learnings.bestOfType })));
  const found = rows.map(({ learning }) => learning);
  const lifts = await liftsOf(
    store,
    found.map(({ id }) => id),
  );
  const stale = await findStale(found);
  return (
    rows
      // Learnings that made tasks go worse are dropped.
      .filter(({ learning: { id } }) => (lifts.get(id) ?? 0) >= 0)
      .map(({ learning, score }) => {
        const isStale = (stale.get(learning.id) ?? 0) > 0;
        const parts = { relevant: weights.relevant, score: rounded(score) };
        const why = "served well so far";
        return { learning, store, isStale, parts, score: rounded(weights.relevant + score), why };
      })
  );
}
