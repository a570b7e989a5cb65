import { stopRuns } from "../../memory/runs/stop-runs.js";
import { viewRuns } from "../views/run-view.js";
import { type TaskRow, taskRow } from "../views/task-row.js";
import type { Routes } from "./route.js";

export interface NowView {
  runs: Awaited<ReturnType<typeof viewRuns>>;
  recent: TaskRow[];
}

const recentTasks = 8;

export const runRoutes: Routes = {
  "GET /api/now": async ({ memory }): Promise<NowView> => ({
    runs: await viewRuns(memory),
    recent: (await memory.tasks.list({ limit: recentTasks })).map(taskRow),
  }),
  "POST /api/runs/:task/stop": async ({ memory, parts: [taskId], body }) =>
    stopRuns(memory, { taskId, force: body.force === true }),
  "POST /api/runs/:task/resume": async ({ parts: [taskId = ""], page }) => {
    await page.resume(taskId);
    return { taskId };
  },
};
