import { dayMs } from "../../domain/clock.js";
import type { Learning } from "../../domain/knowledge/learning.js";

/** Recency falls to 0 in this time. */
const recentDays = 90;

type Aged = Pick<Learning, "taskType" | "confidence" | "successRate" | "updatedAt">;

/** The relevance of a learning to a task type, from 0 to 1: confidence 40 %, type 30 %, success 20 %, recency 10 %. */
export function relevance(learning: Aged, context: { taskType: string; now: Date }): number {
  return (
    learning.confidence * 0.4 +
    (learning.taskType === context.taskType ? 0.3 : 0) +
    learning.successRate * 0.2 +
    recency(Date.parse(learning.updatedAt), context.now) * 0.1
  );
}

/** From 1 today to 0; 0 when the time is not a number. */
export function recency(time: number, now: Date): number {
  const ageDays = (now.getTime() - time) / dayMs;
  return Number.isNaN(ageDays) ? 0 : Math.min(1, Math.max(0, (recentDays - ageDays) / recentDays));
}
