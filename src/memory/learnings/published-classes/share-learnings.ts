import { resolve } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Memory } from "../../memory.js";
import { openProjectSession } from "../../project-session.js";
import type { Session } from "../../session.js";
import { sessionOf } from "../../session-of.js";
import { openFolderSession } from "../exchange/folder-session.js";

/** A folder that holds learnings, or an open memory. */
export type LearningsSource = string | Memory;

/** What a published class works with. */
export interface SharedLearnings {
  /** Identifies the store: equal for the same learnings. */
  place: string | Memory;
  session(): Session;
  close(): Promise<void>;
}

interface Shared {
  session: Session;
  users: number;
}

/** By folder, so that programs which never close what they open share one connection. */
const shared = new Map<string, Shared>();

/** The learnings of the current project, of a folder, or of an open memory, which the caller closes. */
export function shareLearnings(source?: LearningsSource): SharedLearnings {
  if (source === undefined) return share(`project of ${process.cwd()}`, () => openProjectSession({}));
  if (source === "") throw new RalphError("wrong-use", "The folder name is empty");
  if (typeof source !== "string")
    return { place: source, session: () => sessionOf(source), close: async () => undefined };
  const directory = resolve(source);
  return share(directory, () => openFolderSession(directory));
}

function share(place: string, open: () => Session): SharedLearnings {
  const entry = shared.get(place) ?? { session: open(), users: 0 };
  entry.users += 1;
  shared.set(place, entry);
  let isClosed = false;
  return {
    place,
    session() {
      if (isClosed) throw new Error("This memory has been closed");
      return entry.session;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (shared.get(place) === entry) shared.delete(place);
      await entry.session.close();
    },
  };
}
