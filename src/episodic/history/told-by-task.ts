import { unique } from "../../text/unique.js";
import type { TaskHistory } from "./query-history.js";

/** What a task tells others: what it was about, how it ended, and what was learned from it. */
export function toldByTask({
  description,
  attempts,
  reflections,
}: Pick<TaskHistory, "description" | "attempts" | "reflections">): string[] {
  const outcome = attempts.findLast((attempt) => attempt.outcome !== undefined)?.outcome;
  const told = [
    ...[description, outcome?.reason ?? "", ...(outcome?.what_worked ?? [])],
    ...reflections.map(({ learning, observation }) => learning || observation),
  ];
  return unique(told.filter((text) => text !== ""));
}
