import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { summariseTask } from "../../episodic/tasks/summarise-task.js";
import type { FileMap } from "../file-map.js";
import { attemptFiles, attemptFolder, iterationFolder, resultFiles, taskFiles } from "./task-tree.js";

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
      files[`${taskFiles.attempts}/${attemptFolder(attempt.id)}/${name}`] = value;
  return files;
}

function trajectoryOf({ id, attempts }: TaskHistory): object {
  const last = attempts.findLast(({ outcome }) => outcome !== undefined)?.outcome;
  return {
    task_id: id,
    attempts: attempts.map(({ id: attemptId, started, ended, outcome, plan, execution }) => ({
      attempt_id: attemptId,
      started,
      ...(ended && { ended }),
      ...(outcome && { outcome: outcome.status }),
      plan: plan.approach,
      actions: execution.actions_performed,
      iterations: execution.iterations,
    })),
    milestones: attempts.flatMap(({ id: attemptId, milestones }) =>
      milestones.map((milestone) => ({ ...milestone, attempt_id: attemptId })),
    ),
    ...(last?.final_quality !== undefined && { final_quality: last.final_quality }),
    ...(last?.completion_percent !== undefined && { completion_percent: last.completion_percent }),
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
    const folder = `${attemptFiles.results}/${iterationFolder(result.iteration)}`;
    files[`${folder}/${resultFiles.result}`] = result;
    if (output !== undefined) files[`${folder}/${resultFiles.output}`] = output;
  }
  return files;
}
