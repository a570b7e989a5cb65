import type { Candidate } from "../candidate.js";
import { renderSimilarTasks, type SimilarTaskRendering } from "../similar/render-similar-tasks.js";
import type { SimilarTask } from "../similar/similar-task.js";

/** Similar tasks, each with its similarity as its score. */
export function taskCandidates(tasks: readonly SimilarTask[], rendering: SimilarTaskRendering): Candidate[] {
  const known = new Map(tasks.map((task) => [task.task_id, task]));
  return renderSimilarTasks(tasks, rendering).flatMap(({ id, text }) => {
    const task = known.get(id);
    if (task === undefined) return [];
    const { similarity, description, parts } = task;
    return [
      {
        id,
        kind: "task",
        section: "similar" as const,
        statement: description,
        text,
        score: similarity,
        parts: { text: parts.text, files: parts.files, errors: parts.errors },
      },
    ];
  });
}
