import type { MemoryFile } from "../../memory/health/memory-files.js";
import type { Memory } from "../../memory/memory.js";
import { shownSettings } from "../../text/secrets/shown-address.js";
import type { Routes } from "./route.js";

export interface HealthPage {
  project: { root: string; home: string; kind: string };
  version: string;
  /** Records by kind. */
  records: { kind: string; count: number }[];
  notes: number;
  files: MemoryFile[];
  settings: { key: string; value: unknown; origin: string }[];
  /** What the project asks for and the user has not allowed. */
  leftOut: number;
  team?: Awaited<ReturnType<Memory["team"]["describe"]>>;
}

export const healthRoutes: Routes = {
  "GET /api/health": async ({ memory, page }): Promise<HealthPage> => {
    const { root, home, kind } = memory.project;
    const counts = await memory.records.dump(async ({ counts: found }) => found);
    const noteCounts = await memory.notes.count();
    const fresh = await page.openAnew();
    try {
      const { settings, origins, leftOut } = await fresh.settings();
      const team = await fresh.team.describe();
      return {
        project: { root, home, kind },
        version: page.version,
        records: Object.entries(counts).map(([table, count]) => ({ kind: table, count })),
        notes: Object.values(noteCounts).reduce((sum, count) => sum + count, 0),
        files: await memory.files(),
        settings: Object.entries(shownSettings(settings)).map(([key, value]) => ({
          key,
          value,
          origin: origins[key as keyof typeof origins],
        })),
        leftOut: leftOut.length,
        ...(team && { team }),
      };
    } finally {
      await fresh.close();
    }
  },
  // It repairs what is derived, so it is no GET.
  "POST /api/health/check": ({ memory }) => memory.checkHealth(),
};
