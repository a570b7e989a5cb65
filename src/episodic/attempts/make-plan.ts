import type { Plan } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import { neutraliseOnOneLine } from "../../text/fence/fence.js";
import { unique } from "../../text/unique.js";

export interface PlanInput {
  approach?: string | undefined;
  steps?: readonly string[] | undefined;
  estimated_iterations?: number | undefined;
}

/** A plan that starts with the lessons of earlier attempts. */
export function makePlan(task: Task, reflections: readonly Reflection[], given: PlanInput): Plan {
  const lessons = unique(reflections.flatMap(({ action_items: items }) => items.map(neutraliseOnOneLine)));
  const steps = unique([...lessons, ...(given.steps ?? [])]);
  return {
    approach: given.approach ?? (neutraliseOnOneLine(reflections.at(-1)?.learning ?? "") || task.description),
    steps,
    ...(given.estimated_iterations !== undefined && { estimated_iterations: given.estimated_iterations }),
  };
}

/** The plan as Markdown, for people and prompts. */
export function renderPlan(
  task: Task,
  attemptId: number,
  plan: Plan,
  reflections: readonly Reflection[],
): string {
  const list = (items: readonly string[]) => items.map((item, index) => `${index + 1}. ${item}`);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
  return [
    `# Plan for attempt ${attemptId} of ${task.id}`,
    "",
    task.description,
    ...section("Completion criteria", task.completion_criteria ? [task.completion_criteria] : []),
    ...section("Approach", [plan.approach]),
    ...section(
      "What earlier attempts taught",
      reflections.map(
        ({ attempt_id: attempt, learning, observation }) =>
          `- Attempt ${attempt}: ${neutraliseOnOneLine(learning || observation)}`,
      ),
    ),
    ...section("Steps", list(plan.steps)),
    "",
  ].join("\n");
}
