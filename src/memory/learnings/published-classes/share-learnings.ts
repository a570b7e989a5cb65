import { resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Memory } from "../../memory.js";
import type { MemoryAccess } from "../../project/memory-access.js";
import { openProject } from "../../project/open-project.js";
import { projectOf } from "../../project-of.js";
import { openLearningsFolder } from "../exchange/learnings-folder.js";

/** A folder that holds learnings, or an open memory. */
export type LearningsSource = string | Memory;

/** What a published class works with. */
export interface SharedLearnings {
  /** Identifies the store: equal for the same learnings. */
  place: string | Memory;
  memory(): MemoryAccess;
  close(): Promise<void>;
}

interface Shared {
  memory: MemoryAccess;
  users: number;
}

/** By folder, so that programs which never close what they open share one connection. */
const shared = new Map<string, Shared>();

/** The learnings of the current project, of a folder, or of an open memory, which the caller closes. */
export function shareLearnings(source?: LearningsSource): SharedLearnings {
  if (source === undefined) return share(`project of ${process.cwd()}`, () => openProject({}));
  if (source === "") throw new RalphError("wrong-use", "The folder name is empty");
  if (typeof source !== "string")
    return { place: source, memory: () => projectOf(source), close: async () => undefined };
  const directory = resolve(source);
  return share(directory, () => openLearningsFolder(directory));
}

function share(place: string, open: () => MemoryAccess): SharedLearnings {
  const entry = shared.get(place) ?? { memory: open(), users: 0 };
  entry.users += 1;
  shared.set(place, entry);
  let isClosed = false;
  return {
    place,
    memory() {
      if (isClosed) throw new Error("This memory has been closed");
      return entry.memory;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (shared.get(place) === entry) shared.delete(place);
      await entry.memory.close();
    },
  };
}
