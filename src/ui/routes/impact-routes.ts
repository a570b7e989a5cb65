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

export const impactRoutes: Routes = {
  "GET /api/impact": async ({ memory }): Promise<ImpactPage> => {
    const [metrics, overTime, weighed, { settings }] = await Promise.all([
      memory.metrics(),
      memory.metricsOverTime(),
      memory.learnings.weigh(),
      memory.settings(),
    ]);
    const chosen =
      weighed.length <= shownLearnings
        ? weighed
        : [...weighed.slice(0, shownLearnings / 2), ...weighed.slice(-shownLearnings / 2)];
    const rows: LearningRow[] = [];
    for (const each of chosen) rows.push(learningRow(await memory.learnings.get(each.id), each));
    return { metrics, overTime, learnings: rows, holdout: settings["recall.holdout"] };
  },
};
