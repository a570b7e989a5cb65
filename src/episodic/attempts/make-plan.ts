import type { Plan } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import { neutraliseOnOneLine } from "../../text/fence/fence.js";
import { sayOnce } from "../../text/say-once.js";
import { unique } from "../../text/unique.js";
import { tellReflections } from "../window/tell-reflections.js";

export interface PlanInput {
  approach?: string | undefined;
  steps?: readonly string[] | undefined;
  estimated_iterations?: number | undefined;
}

/** A plan that starts with the lessons of earlier attempts. */
export function makePlan(task: Task, reflections: readonly Reflection[], given: PlanInput): Plan {
  const lessons = sayOnce(nextSteps(reflections).map(neutraliseOnOneLine));
  const steps = unique([...lessons, ...(given.steps ?? [])]);
  return {
    approach: given.approach ?? (neutraliseOnOneLine(reflections.at(-1)?.learning ?? "") || task.description),
    steps,
    ...(given.estimated_iterations !== undefined && { estimated_iterations: given.estimated_iterations }),
  };
}

/** What people and models advised, and what the rules advised last: their older advice is about failures that may be gone. */
function nextSteps(reflections: readonly Reflection[]): string[] {
  const newest = reflections.findLast(isByRules);
  return reflections
    .filter((reflection) => reflection === newest || !isByRules(reflection))
    .toReversed()
    .flatMap(({ action_items: items }) => items);
}

function isByRules({ written_by: author }: Reflection): boolean {
  return author === "rules";
}

/** The plan as Markdown, for people and prompts. It says each thing once, and nothing again that its introduction says. */
export function renderPlan(
  task: Task,
  attemptId: number,
  plan: Plan,
  { reflections, introduction = "" }: { reflections: readonly Reflection[]; introduction?: string },
): string {
  const taught = tellReflections(reflections, introduction).map(
    ({ where, text }) => `- ${where}: ${neutraliseOnOneLine(text)}`,
  );
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
  const hasOwnApproach = plan.approach !== task.description && !isLesson(plan.approach, reflections);
  const lessons = sayOnce(taught, introduction.split("\n"));
  const steps = sayOnce(plan.steps, [...introduction.split("\n"), ...lessons]);
  return [
    `# Plan for attempt ${attemptId} of ${task.id}`,
    "",
    task.description,
    ...section("Completion criteria", task.completion_criteria ? [task.completion_criteria] : []),
    ...section("Approach", hasOwnApproach ? [plan.approach] : []),
    ...section("What earlier attempts taught", lessons),
    ...section(
      "Steps",
      steps.map((step, index) => `${index + 1}. ${step}`),
    ),
    "",
  ].join("\n");
}

/** A lesson is told as such. */
function isLesson(approach: string, reflections: readonly Reflection[]): boolean {
  return reflections.some(({ learning }) => neutraliseOnOneLine(learning) === approach);
}
