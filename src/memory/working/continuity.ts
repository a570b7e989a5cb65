import { basename } from "node:path";
import { getTask } from "../../episodic/tasks/get-task.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { redact } from "../../text/secrets/redact.js";
import { readSection, writeContinuity } from "../../working/continuity-file.js";
import { checkOptionalText } from "../../working/fields.js";
import { type Continuity, type Reference, renderContinuity } from "../../working/render-continuity.js";
import { previousVersion } from "../notes/notes-file.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { recall } from "../recall/recall.js";
import type { Recall, RecalledEntry } from "../recall/recall-input.js";
import { taskNotFound } from "../task-not-found.js";
import { type CurrentWork, findCurrentWork, workOn } from "../tasks/current-task.js";

const shownMemories = 5;
const shownMistakes = 5;

export interface ContinuityOptions {
  /** The current task by default. */
  taskId?: string | undefined;
  /** What is being done right now, in the agent's words. */
  note?: string | undefined;
  /** A recent recall; otherwise a new one is made. */
  recalled?: Pick<Recall, "entries"> | undefined;
}

export interface UpdatedContinuity {
  path: string;
  /** False if the file was already up to date. */
  isChanged: boolean;
  taskId?: string;
}

/** Writes the current work, with what is known about it, into the managed section of the continuity file. */
export async function updateContinuity(
  project: OpenProject,
  path: string,
  { taskId, note: said, recalled }: ContinuityOptions,
): Promise<UpdatedContinuity> {
  const note = checkOptionalText("The note", said);
  // Wrong markers are rejected before anything is created.
  readSection(readFileSnapshot(path).bytes ?? Buffer.alloc(0), path);
  const known = await project.read(
    (context) =>
      gather(
        context,
        taskId,
        async (task) => recalled ?? recall(project, { taskId: task, hasReflections: false }),
      ),
    (): Omit<Continuity, "note"> => {
      if (taskId !== undefined) throw taskNotFound(taskId);
      return { memories: [], mistakes: [] };
    },
  );
  const section = redact(renderContinuity({ ...known, note })).text;
  const isChanged = await project.write(({ store, place: { storeDirectory } }) =>
    // The transaction's lock serialises writers of the file.
    store.transaction(
      async () => writeContinuity(path, section, previousVersion(storeDirectory, basename(path))),
      { side: "local" },
    ),
  );
  return { path, isChanged, ...(known.task && { taskId: known.task.id }) };
}

/** The whole file, redacted, because people write into it and agents read it. Undefined if it does not exist. */
export function readContinuity(path: string): string | undefined {
  const { bytes } = readFileSnapshot(path);
  return bytes && redact(bytes.toString("utf8")).text;
}

async function gather(
  { store }: StoreContext,
  taskId: string | undefined,
  recallFor: (taskId: string) => Promise<Pick<Recall, "entries">>,
): Promise<Omit<Continuity, "note">> {
  const work =
    taskId === undefined ? await findCurrentWork(store) : await workOn(store, await getTask(store, taskId));
  if (work === undefined) return { memories: [], mistakes: [] };
  const { entries } = await recallFor(work.task.id);
  const ofSections = (...names: RecalledEntry["section"][]) =>
    entries.filter(({ section }) => names.includes(section)).map(toReference);
  const learned = ofSections("strategies", "conventions", "similar");
  return {
    task: currentTask(work),
    memories: interleave([learned, ofSections("notes"), ofSections("skills")]).slice(0, shownMemories),
    mistakes: ofSections("avoid").slice(0, shownMistakes),
  };
}

/** The first of each list, then the second of each, so that no kind crowds out another. */
function interleave(lists: readonly (readonly Reference[])[]): Reference[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

function toReference({ id, statement }: RecalledEntry): Reference {
  return { id, text: statement };
}

function currentTask({ task, attempt }: CurrentWork): Continuity["task"] {
  return {
    id: task.id,
    status: task.status,
    description: task.description,
    attempt: attempt && {
      id: attempt.id,
      agent: attempt.execution.agent,
      started: attempt.started,
      iterations: attempt.execution.iterations,
    },
  };
}
