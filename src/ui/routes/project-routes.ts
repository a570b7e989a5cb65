import { basename } from "node:path";
import type { Routes } from "./route.js";

export interface ProjectView {
  name: string;
  root: string;
  version: string;
  counts: { tasks: number; learnings: number; waiting: number; notes: number };
}

export const projectRoutes: Routes = {
  "GET /api/project": async ({ memory, page }): Promise<ProjectView> => {
    const { root } = memory.project;
    const [tasks, learnings, { pending, validated }, notes] = await Promise.all([
      memory.tasks.count(),
      memory.learnings.count(),
      memory.learnings.stagingStats(),
      memory.notes.count(),
    ]);
    const sumOf = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      name: basename(root),
      root,
      version: page.version,
      counts: {
        tasks: sumOf(tasks),
        learnings,
        waiting: pending + validated,
        notes: sumOf(notes),
      },
    };
  },
};
