import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { summariseTask } from "../../episodic/tasks/summarise-task.js";
import { defined } from "../fields.js";
import type { FileMap } from "../file-map.js";

/** The published episodic tree: one folder per task, with indexes beside them. */
export const tasksFolder = "tasks";

export const taskFiles = {
  metadata: "metadata.json",
  trajectory: "trajectory.json",
  reflections: "reflections.jsonl",
  summary: "summary.json",
  attempts: "attempts",
} as const;

export const attemptFiles = {
  attempt: "attempt.json",
  plan: "plan.md",
  actions: "actions.jsonl",
  results: "results",
  outcome: "outcome.json",
} as const;

export const resultFiles = { result: "result.json", output: "output.txt" } as const;

/** The files of a task's folder. */
export function renderTask(history: TaskHistory): FileMap {
  const { attempts, reflections, ...metadata } = history;
  const files: FileMap = {
    [taskFiles.metadata]: metadata,
    [taskFiles.trajectory]: trajectoryOf(history),
    [taskFiles.summary]: summariseTask(history),
    [taskFiles.reflections]: reflections,
  };
  if (attempts.length === 0) files[`${taskFiles.attempts}/`] = null;
  for (const attempt of attempts)
    for (const [name, value] of Object.entries(renderAttempt(attempt)))
      files[`${taskFiles.attempts}/${threeDigits(attempt.id)}/${name}`] = value;
  return files;
}

function trajectoryOf({ id, attempts }: TaskHistory): object {
  const last = attempts.findLast(({ outcome }) => outcome !== undefined)?.outcome;
  return {
    task_id: id,
    attempts: attempts.map(({ id: attemptId, started, ended, outcome, plan, execution }) => ({
      attempt_id: attemptId,
      started,
      ...defined({ ended, outcome: outcome?.status }),
      plan: plan.approach,
      actions: execution.actions_performed,
      iterations: execution.iterations,
    })),
    milestones: attempts.flatMap(({ id: attemptId, milestones }) =>
      milestones.map((milestone) => ({ ...milestone, attempt_id: attemptId })),
    ),
    ...defined({ final_quality: last?.final_quality, completion_percent: last?.completion_percent }),
  };
}

function renderAttempt(history: AttemptHistory): FileMap {
  const { plan_text: planText, actions, milestones: _milestones, results, ...attempt } = history;
  const files: FileMap = { [attemptFiles.attempt]: attempt };
  if (planText !== undefined) files[attemptFiles.plan] = planText;
  files[attemptFiles.actions] = actions;
  if (attempt.outcome !== undefined) files[attemptFiles.outcome] = attempt.outcome;
  if (results.length === 0) files[`${attemptFiles.results}/`] = null;
  for (const { output, ...result } of results) {
    const folder = `${attemptFiles.results}/iter-${threeDigits(result.iteration)}`;
    files[`${folder}/${resultFiles.result}`] = result;
    if (output !== undefined) files[`${folder}/${resultFiles.output}`] = output;
  }
  return files;
}

function threeDigits(number: number): string {
  return String(number).padStart(3, "0");
}
