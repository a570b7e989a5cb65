import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import type { ImpactOverTime } from "../../recall/metrics/impact-over-time.js";
import type { ImpactMetrics } from "../../recall/metrics/measure-impact.js";
import { type LearningRow, learningRow } from "../views/learning-row.js";
import type { Routes } from "./route.js";

export interface ImpactPage {
  metrics: ImpactMetrics;
  overTime: ImpactOverTime;
  /** Those that helped or hurt most, best first. */
  learnings: LearningRow[];
  /** The share of tasks in the control group that is set. */
  holdout: number;
}

const shownLearnings = 12;

export const impactRoutes: Routes = { "GET /api/impact": ({ memory }) => readImpact(memory) };

export async function readImpact(memory: Memory): Promise<ImpactPage> {
  // One after the other: each holds the figures of all tasks.
  const metrics = await memory.metrics();
  const overTime = await memory.metricsOverTime();
  const weighed = await memory.learnings.weigh();
  const { settings } = await memory.settings();
  const chosen =
    weighed.length <= shownLearnings
      ? weighed
      : [...weighed.slice(0, shownLearnings / 2), ...weighed.slice(-shownLearnings / 2)];
  const rows: LearningRow[] = [];
  for (const each of chosen) {
    const learning = await findLearning(memory, each.id);
    if (learning !== undefined) rows.push(learningRow(learning, each));
  }
  return { metrics, overTime, learnings: rows, holdout: settings["recall.holdout"] };
}

/** One that was retired keeps its credits. */
async function findLearning({ learnings }: Memory, id: string): Promise<Learning | undefined> {
  try {
    return await learnings.get(id);
  } catch (error) {
    if (error instanceof RalphError && error.code === "not-found") return undefined;
    throw error;
  }
}
