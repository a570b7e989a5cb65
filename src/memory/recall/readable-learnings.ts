import { RalphError } from "../../domain/ralph-error.js";
import type { CandidateSource } from "../../recall/candidate.js";
import type { OnAltered } from "../../recall/sources/learning-candidates.js";
import { findAltered } from "../../semantic/records/checksum.js";
import type { Repositories } from "../../store/store.js";

/** The source, which finds nothing while a record cannot even be parsed: something other than Ralph changed it. */
export function orOnlyReadable(
  source: CandidateSource,
  stores: readonly Repositories[],
  onAltered: OnAltered,
): CandidateSource {
  return {
    ...source,
    async find(question, foundBefore) {
      try {
        return await source.find(question, foundBefore);
      } catch (error) {
        if (!(error instanceof RalphError && error.code === "store-damaged")) throw error;
        const altered = await Promise.all(stores.map((store) => findAltered(store)));
        onAltered(altered.flat());
        if (altered.flat().length === 0) throw error;
        return [];
      }
    },
  };
}
