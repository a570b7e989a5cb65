import { taskTypes } from "../../domain/knowledge/learning.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { countOf, flagOf, textOf, wordOf } from "./query.js";
import type { Routes } from "./route.js";

export const recallRoutes: Routes = {
  "GET /api/recall": async ({ memory, query }): Promise<Recall> => {
    const budget = countOf(query, "budget");
    return memory.recall({
      objective: textOf(query, "objective"),
      taskType: wordOf(query, "type", taskTypes),
      errors: linesOf(query, "error"),
      files: linesOf(query, "file"),
      ...(budget !== undefined && { budgetTokens: budget }),
      // To ask for it does not overrule the settings.
      isCrossTask: flagOf(query, "cross-task") === false ? false : undefined,
      isExplained: true,
      // Looking at it is no brief of a task.
      isRecorded: false,
    });
  },
};

function linesOf(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
