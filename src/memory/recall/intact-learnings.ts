import { RalphError } from "../../domain/ralph-error.js";
import type { CandidateSource } from "../../recall/candidate-source.js";
import { findAltered } from "../../semantic/integrity/find-altered.js";
import type { Repositories } from "../../store/store.js";

/** The source without learnings that something other than Ralph changed. Only the candidates are checked: there are few. */
export function onlyIntact(
  source: CandidateSource,
  stores: readonly Repositories[],
  report: (altered: readonly string[]) => void,
): CandidateSource {
  const findIn = async (ids?: readonly string[]) => {
    const altered: string[] = [];
    for (const store of stores) altered.push(...(await findAltered(store, ids)));
    report(altered);
    return new Set(altered);
  };
  return {
    ...source,
    async find(question, foundBefore) {
      try {
        const found = await source.find(question, foundBefore);
        const altered = await findIn(found.map(({ id }) => id));
        return found.filter(({ id }) => !altered.has(id));
      } catch (error) {
        // A record that cannot even be parsed.
        if (!(error instanceof RalphError && error.code === "store-damaged")) throw error;
        if ((await findIn()).size === 0) throw error;
        return [];
      }
    },
  };
}
