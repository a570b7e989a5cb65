import type { Attempt } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import { unique } from "../../text/unique.js";

/** Key figures and sentences, derived from a task's records. */
export interface TaskSummary {
  task_id: string;
  description: string;
  status: string;
  outcome?: "success" | "partial" | "failure";
  attempts: number;
  iterations: number;
  actions: number;
  final_quality?: number;
  duration_seconds: number;
  agents: string[];
  key_learnings: string[];
  errors: string[];
  files: string[];
  tags: string[];
}

/** The input of a summary. */
export interface SummarisedTask extends Task {
  attempts: readonly Attempt[];
  reflections: readonly Reflection[];
}

export function summariseTask(history: SummarisedTask): TaskSummary {
  const { attempts, reflections } = history;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const quality = attempts.at(-1)?.outcome?.final_quality;
  const outcome = outcomeOf(history);
  return {
    task_id: history.id,
    description: history.description,
    status: history.status,
    ...(outcome && { outcome }),
    attempts: attempts.length,
    iterations: sum(attempts.map(({ execution }) => execution.iterations)),
    actions: sum(attempts.map(({ execution }) => execution.actions_performed)),
    ...(quality !== undefined && { final_quality: quality }),
    duration_seconds: sum(attempts.map(({ duration_seconds: seconds = 0 }) => seconds)),
    agents: unique(attempts.flatMap(({ execution }) => execution.agent ?? [])),
    key_learnings: unique(reflections.map(({ learning }) => learning).filter((text) => text !== "")),
    errors: unique(
      attempts.flatMap(({ errors_encountered: errors }) => errors.map(({ message }) => message)),
    ),
    files: unique(attempts.flatMap(({ context }) => context.files_involved)),
    tags: history.tags,
  };
}

/** A failed task with some quality is partial. */
function outcomeOf({ attempts }: SummarisedTask): TaskSummary["outcome"] {
  const last = attempts.findLast((attempt) => attempt.outcome !== undefined)?.outcome;
  if (last === undefined) return undefined;
  if (last.status === "success") return "success";
  return (last.final_quality ?? 0) > 0 ? "partial" : "failure";
}
