import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignRecord } from "./foreign-record.js";

/** The texts of a record that may be put into a prompt; an action's output, which may contain anything, is not among them. */
export function injectedTexts(record: ForeignRecord): string[] {
  if (record.kind === "task") return textsOfTask(record.record);
  if (record.kind === "note") return [record.record.content, ...record.record.tags];
  if (record.kind === "skill") return [record.record.text];
  if (record.kind === "ledger" || record.kind === "handoff") return textsIn(record.record);
  return [];
}

export function textsOfTask(task: TaskHistory): string[] {
  const { description, completion_criteria: criteria = "", constraints, attempts, reflections } = task;
  return [
    ...[description, criteria, ...constraints],
    ...attempts.flatMap(({ plan, outcome, errors_encountered: errors }) => [
      plan.approach,
      ...plan.steps,
      ...(outcome === undefined
        ? []
        : [
            outcome.reason ?? "",
            ...outcome.what_worked,
            ...outcome.what_didnt_work,
            ...outcome.suggestions_for_next_time,
          ]),
      ...errors.flatMap(({ type, message, resolution = "" }) => [type, message, resolution]),
    ]),
    ...reflections.flatMap(({ observation, analysis, learning, action_items: steps }) => [
      observation,
      analysis,
      learning,
      ...steps,
    ]),
  ].filter((text) => text !== "");
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
