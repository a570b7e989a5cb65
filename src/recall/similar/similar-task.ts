import type { TaskMemory, TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import type { SimilarityParts } from "./task-similarity.js";

/** A finished task that is similar to an objective, with what it leaves to it. */
export interface SimilarTask {
  task_id: string;
  uuid: string;
  /** The chance that it is about the same part of the project, from 0 to 1. */
  similarity: number;
  parts: SimilarityParts;
  description: string;
  outcome?: NonNullable<TaskMemory["outcome"]>;
  iterations: number;
  final_quality?: number;
  reflections: TaskMemoryReflection[];
  key_learnings: string[];
  /** How it went, in one line. */
  summary: string;
  age_days: number;
}
