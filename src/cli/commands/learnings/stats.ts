import { statementOf } from "../../../domain/knowledge/statement.js";
import { defineCommand } from "../../framework/command.js";
import { renderFacts } from "../../output/learnings.js";
import { renderJson } from "../../output/terminal/json.js";
import { shownMoment } from "../../output/times.js";

export const learningStatsCommand = defineCommand({
  summary: "show counts of learnings and staged learnings",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph learnings stats", "ralph learnings stats --json"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const stats = await memory.learnings.stats();
    const staging = await memory.learnings.stagingStats();
    if (format === "json") {
      terminal.out(renderJson({ ...stats, staging }));
      return 0;
    }
    const { mostUsedLearning: most } = stats;
    const counts = (by: Record<string, number>) =>
      Object.entries(by)
        .map(([name, count]) => `${count} ${name}`)
        .join(", ");
    terminal.out(
      renderFacts([
        ["Learnings", String(stats.totalSize)],
        ["By type", counts(stats.byType)],
        ["By task", counts(stats.byTaskType)],
        ["Confidence", stats.totalSize === 0 ? "" : `${stats.averageConfidence.toFixed(2)} on average`],
        ["Success", stats.totalSize === 0 ? "" : `${stats.averageSuccessRate.toFixed(2)} on average`],
        ["Most used", most === null ? "" : `${most.id} (${most.useCount}) ${statementOf(most)}`],
        ["Updated", stats.lastUpdated === null ? "" : shownMoment(stats.lastUpdated, terminal)],
        [
          "Staged",
          `${staging.pending} pending, ${staging.validated} validated, ${staging.rejected} rejected` +
            `${staging.awaiting ? `, ${staging.awaiting} waiting for another task` : ""}`,
        ],
      ]),
    );
    return 0;
  },
});
