import type { Candidate } from "../candidate.js";
import { renderSimilarTasks, type SimilarTaskRendering } from "./render-similar-tasks.js";
import type { SimilarTask } from "./similar-task.js";

export interface TellingTasks {
  section: "similar" | "latest";
  rendering: SimilarTaskRendering;
  /** Statements that the brief has already. */
  told: readonly string[];
  /** Why a task is shown, in a few words. */
  whyOf(task: SimilarTask): string;
}

/** What the learnings of a brief say, which tasks need not repeat. */
export function learningsTold(foundBefore: readonly Candidate[]): string[] {
  return foundBefore.filter(({ kind }) => kind === "learning").map(({ statement }) => statement);
}

/** Tasks as entries of a brief, without those that add nothing to what was told. */
export function taskCandidates(
  tasks: readonly SimilarTask[],
  { section, rendering, told, whyOf }: TellingTasks,
): Candidate[] {
  const known = new Map(tasks.map((task) => [task.task_id, task]));
  return renderSimilarTasks(tasks, rendering, told).flatMap(({ id, text }) => {
    const task = known.get(id);
    if (task === undefined) return [];
    const { similarity, description, parts } = task;
    return [
      {
        id,
        kind: "task",
        section,
        statement: description,
        text,
        score: similarity,
        parts: {
          text: parts.text,
          files: parts.files,
          errors: parts.errors,
          ...(parts.vectors !== undefined && { vectors: parts.vectors }),
        },
        why: whyOf(task),
      },
    ];
  });
}
