import { RalphError } from "../../domain/ralph-error.js";
import type { Candidate, CandidateSource } from "../../recall/candidate.js";
import type { OnAltered } from "../../recall/sources/learning-candidates.js";
import { findAltered } from "../../semantic/records/checksum.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { TrustRequest } from "../../trust/request.js";
import { textsOfTask } from "../imports/injected-texts.js";
import { historyOf, requestOfImported } from "../trust/trust-requests.js";

/** The source, which finds nothing while something other than Ralph has made a record unreadable. */
export function readableOnly(
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

export interface Imported {
  /** Of records that came with a dump and read like an instruction: ids of learnings and UUIDs of tasks. */
  keys: ReadonlySet<string>;
  isAllowed(request: TrustRequest): boolean;
  onLeftOut(request: TrustRequest): void;
}

/** The source without records that came with a dump and read like an instruction, until the user allows them. */
export function withoutImported(
  source: CandidateSource,
  { store, task }: { store: Repositories; task: StoredTask | undefined },
  { keys, isAllowed, onLeftOut }: Imported,
): CandidateSource {
  const isDenied = async (key: string): Promise<boolean> => {
    const request = keys.has(key) ? await requestOfImported(store, key) : undefined;
    if (request === undefined || isAllowed(request)) return false;
    onLeftOut(request);
    return true;
  };
  const isShown = async ({ kind, id, text }: Candidate): Promise<boolean> => {
    if (kind === "learning") return !(await isDenied(id));
    if (kind === "reflection") return task === undefined || !(await isDenied(task.uuid));
    if (kind !== "task") return true;
    const history = await historyOf(store, id);
    if (await isDenied(history.uuid)) return false;
    // A task is shown with the remedies that are known by now, and one of these may be such a learning.
    return instructionIn(text) === undefined || instructionIn(textsOfTask(history)) !== undefined;
  };
  return {
    ...source,
    async find(question, foundBefore) {
      const found = await source.find(question, foundBefore);
      const shown = await Promise.all(found.map(isShown));
      return found.filter((_candidate, index) => shown[index]);
    },
  };
}
