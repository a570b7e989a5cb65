import { dayMs } from "../../domain/clock.js";
import type { Learning } from "../../domain/knowledge/learning.js";

/** How long a learning profits from being recent. */
const recentDays = 90;

type Aged = Pick<Learning, "taskType" | "confidence" | "successRate" | "updatedAt">;

/** How relevant a learning is to a task of a type, from 0 to 1: confidence 40 %, type 30 %, success 20 %, recency 10 %. */
export function relevance(learning: Aged, context: { taskType: string; now: Date }): number {
  return (
    learning.confidence * 0.4 +
    (learning.taskType === context.taskType ? 0.3 : 0) +
    learning.successRate * 0.2 +
    recency(learning.updatedAt, context.now) * 0.1
  );
}

/** 1 today, falling to 0 in ninety days; 0 when the time cannot be read. */
function recency(updatedAt: string, now: Date): number {
  const ageDays = (now.getTime() - Date.parse(updatedAt)) / dayMs;
  return Number.isNaN(ageDays) ? 0 : Math.min(1, Math.max(0, (recentDays - ageDays) / recentDays));
}
