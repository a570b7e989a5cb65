import type { Candidate, CandidateSource } from "../../recall/candidate.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { TrustRequest } from "../../trust/request.js";
import { textsOfTask } from "../imports/taking/injected-texts.js";
import { historyOf, requestOfImported } from "../trust/imported-text.js";

export interface Imported {
  /** Of records that came with a dump and read like an instruction: ids of learnings and UUIDs of tasks. */
  keys: ReadonlySet<string>;
  isAllowed(request: TrustRequest): boolean;
  onLeftOut(request: TrustRequest): void;
}

/** The source without what came with a dump and reads like an instruction, until the user allows it. */
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
    // A task is told with what is known about its failures by now, which may be such a learning.
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
