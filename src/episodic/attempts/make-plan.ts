import type { Plan } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import { counted } from "../../text/counted.js";
import { fenceAsData, neutraliseOnOneLine, withoutFenceTags } from "../../text/fence/fence.js";
import { sayOnce } from "../../text/say-once.js";
import { unique } from "../../text/unique.js";
import { describeReflections } from "../reflections/describe-reflections.js";

export interface PlanInput {
  approach?: string | undefined;
  steps?: readonly string[] | undefined;
  estimated_iterations?: number | undefined;
}

/** A plan that starts with the lessons of earlier attempts. */
export function makePlan(task: Task, reflections: readonly Reflection[], given: PlanInput): Plan {
  const steps = unique([...advisedSteps(reflections), ...(given.steps ?? [])]);
  return {
    approach: given.approach ?? (neutraliseOnOneLine(reflections.at(-1)?.learning ?? "") || task.description),
    steps,
    ...(given.estimated_iterations !== undefined && { estimated_iterations: given.estimated_iterations }),
  };
}

function advisedSteps(reflections: readonly Reflection[]): string[] {
  return sayOnce(nextSteps(reflections).map(neutraliseOnOneLine));
}

/** The advice of people and models, and the latest of the rules: their older advice is about failures that may be gone. */
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

/**
 * Renders the plan as Markdown for people and prompts, without repetitions of its own or of its introduction. What earlier attempts
 * recorded, including tool output, is fenced; the task and the caller's own approach and steps are not.
 */
export function renderPlan(
  task: Task,
  attemptId: number,
  plan: Plan,
  { reflections, introduction = "" }: { reflections: readonly Reflection[]; introduction?: string },
): string {
  const taught = describeReflections(reflections, introduction).map(
    ({ where, text }) => `- ${where}: ${neutraliseOnOneLine(text)}`,
  );
  const hasOwnApproach = plan.approach !== task.description && !isLesson(plan.approach, reflections);
  const lessons = sayOnce(taught, introduction.split("\n"));
  const steps = sayOnce(plan.steps, [...introduction.split("\n"), ...lessons]);
  const advised = new Set(advisedSteps(reflections));
  const own = [
    `# Plan for attempt ${attemptId} of ${task.id}`,
    "",
    task.description,
    ...section("Completion criteria", task.completion_criteria ? [task.completion_criteria] : []),
    ...section("Approach", hasOwnApproach ? [plan.approach] : []),
    ...section("Steps", numbered(steps.filter((step) => !advised.has(step)))),
    ...section("Estimate", estimateLines(plan)),
  ];
  const recorded = [
    ...section("What earlier attempts taught", lessons),
    ...section("Suggested steps", numbered(steps.filter((step) => advised.has(step)))),
  ];
  return [withoutFenceTags(own.join("\n")), ...fenced(recorded), ""].join("\n");
}

function estimateLines({ estimated_iterations: iterations }: Plan): string[] {
  return iterations === undefined ? [] : [counted(iterations, "iteration")];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];
}

function numbered(steps: readonly string[]): string[] {
  return steps.map((step, index) => `${index + 1}. ${step}`);
}

function fenced(lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ["", fenceAsData("Remembered from earlier attempts of this task.", lines.join("\n").trim())];
}

/** Whether the approach is a lesson, which is introduced as one. */
function isLesson(approach: string, reflections: readonly Reflection[]): boolean {
  return reflections.some(({ learning }) => neutraliseOnOneLine(learning) === approach);
}
