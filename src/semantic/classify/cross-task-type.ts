import type { TaskType } from "../../domain/knowledge/learning.js";

const names = {
  "test-fix": "testing",
  feature: "implementation",
  "bug-fix": "debugging",
  refactor: "refactoring",
  performance: "refactoring",
  documentation: "documentation",
  architecture: "architecture",
  research: "research",
} as const satisfies Record<Exclude<TaskType, "general">, string>;

export type CrossTaskType = (typeof names)[keyof typeof names];

/** The name of a task type in the cross-task exchange format; undefined for `general`. */
export function crossTaskType(type: TaskType): CrossTaskType | undefined {
  return type === "general" ? undefined : names[type];
}
