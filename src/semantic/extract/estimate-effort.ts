import type {
  Complexity,
  ExtractedLearning,
  LearningContent,
  LoopState,
} from "../../domain/knowledge/learning.js";
import { maxConfidence } from "../learning-limits.js";
import type { TaskRecord } from "./task-record.js";

/** The effort of a loop as an estimate for similar tasks; undefined when no iteration was completed. */
export function estimateEffort(
  loop: LoopState,
): { content: LearningContent; confidence: number; successRate: number } | undefined {
  const completed = loop.iterations.filter(({ status }) => status === "completed");
  if (completed.length === 0) return undefined;
  const durations = completed.flatMap(({ duration }) => (duration === undefined ? [] : [duration]));
  const successRate = completed.length / loop.iterations.length;
  const totalIterations = loop.currentIteration ?? loop.iterations.length;
  const files = new Set(loop.iterations.flatMap(({ filesModified }) => filesModified ?? []));
  return {
    content: {
      ...(durations.length > 0 && { avgIterationTime: mean(durations) }),
      totalIterations,
      complexity: complexityOf(totalIterations, files.size),
      successRate,
    },
    confidence: Math.min(completed.length / 5, maxConfidence.estimate),
    successRate,
  };
}

/** What a task that succeeded took. A single one says little: the figures of several are added up before they are promoted. */
export function taskEstimate(task: TaskRecord, taskType: string): ExtractedLearning[] {
  const estimate = task.succeeded ? estimateEffort(task.loop) : undefined;
  if (estimate === undefined) return [];
  const { content, confidence, successRate } = estimate;
  const { avgIterationTime, totalIterations } = content;
  const figures = {
    ...{ confidence, successRate, count: 1, at: task.ended },
    ...(avgIterationTime !== undefined && { avgIterationTime }),
    ...(totalIterations !== undefined && { totalIterations }),
  };
  return [
    {
      ...{ type: "estimate", taskType, ...estimate },
      sourceLoops: [task.task_id],
      source_episodes: [...task.episodes],
      merged: { wordingConfidence: confidence, sources: { [task.task_id]: figures }, uses: {} },
    },
  ];
}

function complexityOf(iterations: number, files: number): Complexity {
  if (iterations <= 2 && files <= 2) return "low";
  return iterations <= 5 && files <= 5 ? "medium" : "high";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
