import { getTask } from "../episodic/get-task.js";
import { readFileSnapshot } from "../files/read-file.js";
import { relevantKnowledge, topLearnings } from "../semantic/relevant-knowledge.js";
import { statementOf } from "../semantic/statement.js";
import { redact } from "../text/redact.js";
import { readSection } from "../working/continuity-file.js";
import { checkOptionalText } from "../working/fields.js";
import { type Continuity, type Reference, renderContinuity } from "../working/render-continuity.js";
import { writeContinuity } from "../working/write-continuity.js";
import { type CurrentWork, findCurrentWork, workOn } from "./current-task.js";
import { takeTurn } from "./rewrite-notes-file.js";
import { searchNotes } from "./search-notes.js";
import type { Shelf } from "./shelf.js";
import { taskNotFound } from "./task-not-found.js";
import type { ContinuityOptions, UpdatedContinuity, WorkingAccess } from "./working-verbs.js";

const shownMemories = 5;
const shownMistakes = 5;

/** Writes what is being worked on, and what is known for it, into the managed section of the continuity file. */
export async function updateContinuity(
  { continuityPath, reading, recording }: WorkingAccess,
  { taskId, note: said }: ContinuityOptions,
): Promise<UpdatedContinuity> {
  const path = await continuityPath();
  const note = checkOptionalText("The note", said);
  // Wrong markers are refused before anything is made.
  readSection(readFileSnapshot(path).bytes ?? Buffer.alloc(0), path);
  const known = await reading(
    (shelf) => gather(shelf, taskId),
    (): Omit<Continuity, "note"> => {
      if (taskId !== undefined) throw taskNotFound(taskId);
      return { memories: [], mistakes: [] };
    },
  );
  const section = redact(renderContinuity({ ...known, note })).text;
  const isChanged = await recording((shelf) =>
    takeTurn(shelf, async ({ written }) => {
      const file = await writeContinuity(path, section);
      if (file !== undefined) written.push(file);
      return file !== undefined;
    }),
  );
  return { path, isChanged, ...(known.task && { taskId: known.task.id }) };
}

async function gather(shelf: Shelf, taskId: string | undefined): Promise<Omit<Continuity, "note">> {
  const { store, clock } = shelf;
  const work =
    taskId === undefined ? await findCurrentWork(store) : await workOn(store, await getTask(store, taskId));
  if (work === undefined) return { memories: [], mistakes: [] };
  const objective = work.task.description;
  const { strategies, conventions, antipatterns } = await relevantKnowledge(store, { objective }, clock());
  const learned = await topLearnings(store, { objective }, shownMemories * 4, clock());
  const general = learned.filter(({ type }) => type === "pattern" || type === "fact");
  const learnings = [...strategies, ...general, ...conventions].map((learning) => ({
    id: learning.id,
    text: statementOf(learning),
  }));
  const notes = await searchNotes(shelf, { text: objective, limit: shownMemories });
  const noted = notes.map(({ id, content }) => ({ id, text: content }));
  return {
    task: currentTask(work),
    memories: inTurns([learnings, noted]).slice(0, shownMemories),
    mistakes: antipatterns.slice(0, shownMistakes).map((learning) => ({
      id: learning.id,
      text: [statementOf(learning), learning.content.prevention].filter(Boolean).join(" → "),
    })),
  };
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

/** The first of each list, then the second ones, and so on: no kind of record crowds out another. */
function inTurns(lists: readonly (readonly Reference[])[]): Reference[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}
