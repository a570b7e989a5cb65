import { isLearningId } from "../../domain/knowledge/record-ids.js";
import type { Repositories } from "../../store/store.js";
import type { WeighedOutcomes } from "./evidence-lift.js";
import { weighRecords } from "./record-lifts.js";

/** How tasks that were shown a learning went. */
export interface WeighedLearning extends WeighedOutcomes {
  id: string;
}

const recordsAtOnce = 500;

/** Of these learnings, or of all that have any evidence; the one that helped most comes first. */
export async function weighLearnings(
  repositories: Repositories,
  ids?: readonly string[],
): Promise<WeighedLearning[]> {
  const wanted = ids ?? (await repositories.credits.listCredited()).filter(isLearningId);
  const weighed: WeighedLearning[] = [];
  for (let at = 0; at < wanted.length; at += recordsAtOnce)
    for (const [id, outcomes] of await weighRecords(repositories, wanted.slice(at, at + recordsAtOnce)))
      weighed.push({ id, ...outcomes });
  return weighed.toSorted((one, other) => other.lift - one.lift || other.trials - one.trials);
}
