import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isStoreAway } from "../../domain/ralph-error.js";
import type { Store } from "../../store/store.js";
import type { TrustRequest } from "../../trust/request.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf, type StoreContext } from "../project/place.js";
import { taskContext } from "../project/task-context.js";
import type { MatchedSkill } from "../skills/skills.js";
import { recall } from "./recall.js";
import type { Recall, RecallInput } from "./recall-input.js";

/** Recalls for an objective without recording it. */
export async function lookUp(
  session: OpenProject,
  matchSkills: (objective: string, limit: number) => Promise<MatchedSkill[]>,
  input: RecallInput,
): Promise<Recall> {
  const { clock, root, recordFinder, trust } = session;
  const keys = trust.isAllAllowed ? new Set<string>() : trust.importedTexts();
  const leftOut = new Map<string, TrustRequest>();
  const sources = {
    ...(keys.size > 0 && {
      imported: {
        keys,
        isAllowed: await trust.openAllowed(),
        onLeftOut: (request: TrustRequest) => leftOut.set(request.name, request),
      },
    }),
    settings: await session.settings(),
    clock,
    root,
    recordFinder,
    taskVectors: async (store: Store) => (await session.configuredVectorSearch())?.taskVectors(store),
    episodic: (shelf: Parameters<typeof taskContext>[1]) => taskContext(session, shelf),
    matchSkills: async (objective: string, limit: number) =>
      (await hasSkills(session)) ? matchSkills(objective, limit) : [],
  };
  const found = await session.findStores();
  try {
    const recalled = await recallFrom(found, input);
    trust.report([...leftOut.values()]);
    return recalled;
  } catch (error) {
    if (!isStoreAway(error) || input.objective === undefined) throw error;
    session.notify({ kind: "store-away", message: error.message, isKept: false });
    const here = found.map((shelf) => ({ ...shelf, store: shelf.store.onThisMachine() }));
    return recallFrom(here, { ...input, taskId: undefined });
  }

  function recallFrom([first, ...others]: readonly StoreContext[], asked: RecallInput): Promise<Recall> {
    if (first === undefined) return recall({ ...sources, shelves: [] }, asked);
    return session.repairing(first, (shelf) => recall({ ...sources, shelves: [shelf, ...others] }, asked));
  }
}

/** Most projects have no skills: the code that reads them is then not loaded. */
async function hasSkills(session: OpenProject): Promise<boolean> {
  return filesOf(await session.place()).some(({ path }) => existsSync(join(dirname(path), "skills")));
}
