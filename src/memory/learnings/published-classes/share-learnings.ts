import { resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { openMemory } from "../../open-memory.js";
import type { LearningVerbs } from "../learning-verbs.js";
import { type OpenLearnings, openLearnings } from "../open-learnings.js";

/** A folder that holds learnings, or an open memory. */
export type LearningsSource = string | LearningVerbs;

/** What a published class works with. */
export interface SharedLearnings {
  /** The same for all that work with the same learnings. */
  place: string | LearningVerbs;
  opened(): Promise<LearningVerbs>;
  close(): Promise<void>;
}

interface Shared {
  opened: Promise<OpenLearnings>;
  users: number;
}

/** By folder: programs that never close what they open have one connection all the same. */
const shared = new Map<string, Shared>();

/** The learnings of the project of the current folder, of a folder, or of a memory that somebody else closes. */
export function shareLearnings(source?: LearningsSource): SharedLearnings {
  if (source === undefined) return share(`project of ${process.cwd()}`, openMemory);
  if (source === "") throw new RalphError("wrong-use", "The folder of the learnings has no name");
  if (typeof source !== "string")
    return { place: source, opened: async () => source, close: async () => undefined };
  const directory = resolve(source);
  return share(directory, async () => openLearnings(directory));
}

function share(place: string, open: () => Promise<OpenLearnings>): SharedLearnings {
  const entry = shared.get(place) ?? { opened: open(), users: 0 };
  // Whoever uses it is told of a failure; until then nobody is.
  entry.opened.catch(() => shared.delete(place));
  entry.users += 1;
  shared.set(place, entry);
  let isClosed = false;
  return {
    place,
    async opened() {
      if (isClosed) throw new Error("This memory has been closed");
      return entry.opened;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (shared.get(place) === entry) shared.delete(place);
      const opened = await entry.opened.catch(() => undefined);
      await opened?.close();
    },
  };
}
