import type { Comparison } from "../../recall/metrics/compare.js";
import type { ImpactMetrics } from "../../recall/metrics/measure-impact.js";
import { defineCommand } from "../command.js";
import { renderJson } from "../output/json.js";
import { renderTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { readSince } from "../read-since.js";

export const metricsCommand = defineCommand({
  summary: "whether memory helps, in figures with their margins",
  description:
    "Compares tasks that were shown what is remembered with a control group, which the setting recall.holdout draws by lot\n" +
    "(0.1 makes every tenth task one), and retries that knew of the failure before them with first attempts. A difference\n" +
    "counts only when its 95 % interval leaves out zero.",
  arguments: [],
  options: {
    since: { kind: "text", placeholder: "TIME", summary: "only tasks begun since 30d, 24h or 2026-01-31" },
  },
  formats: ["table", "json"],
  examples: ["ralph metrics", "ralph metrics --since 30d --json"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const since = options.since === undefined ? "" : readSince("since", options.since, new Date());
    const metrics = await memory.metrics({ since });
    if (format === "json") terminal.out(renderJson(metrics));
    else showMetrics(metrics, terminal);
    return 0;
  },
});

function showMetrics(metrics: ImpactMetrics, terminal: Terminal): void {
  const { comparison, retry_improvement: retries, memory_capacity_used: used } = metrics;
  const figures: [string, string][] = [
    ["finished tasks", String(metrics.finished_tasks)],
    ["cross_task_retrieval_count", String(metrics.cross_task_retrieval_count)],
    ["cross_task_success_rate", share(metrics.cross_task_success_rate)],
    [
      "memory_capacity_used",
      used.mean === undefined ? "no second attempt yet" : `${used.mean} on average, ${used.max} at most`,
    ],
    ["reflection_helpfulness", share(metrics.reflection_helpfulness)],
    ["iterations_saved", saved(metrics.iterations_saved)],
  ];
  terminal.out(renderTable(["METRIC", "VALUE"], figures, terminal));
  terminal.out(
    `\nWith memory against ${comparison.baseline}${comparison.baseline === "control group" ? "" : " (no lot was drawn: this proves less)"}\n`,
  );
  const { baseline: _baseline, ...measures } = comparison;
  terminal.out(
    renderTable(
      ["MEASURE", "WITHOUT", "WITH", "DIFFERENCE (95 %)", "VERDICT"],
      [
        ...Object.entries(measures).map(([name, compared]) => toRow(name, compared)),
        toRow("retry after reflections against first attempts", retries.improvement),
        toRow("retry with reflections against retry without", retries.effect_of_reflections),
      ],
      terminal,
    ),
  );
}

function toRow(name: string, { baseline, treatment, difference, interval, verdict }: Comparison): string[] {
  const group = ({ n, value }: Comparison["baseline"]) => `${value ?? "–"} (n ${n})`;
  const margin = interval === undefined ? "" : ` [${interval[0]}, ${interval[1]}]`;
  return [
    name,
    group(baseline),
    group(treatment),
    difference === undefined ? "–" : `${difference}${margin}`,
    verdict,
  ];
}

function share({ rate, of }: { rate?: number; of: number }): string {
  return rate === undefined ? "nothing to count yet" : `${Math.round(rate * 100)} % of ${of}`;
}

function saved({ value, interval, verdict }: ImpactMetrics["iterations_saved"]): string {
  if (value === undefined) return verdict;
  return `${value}${interval ? ` [${interval[0]}, ${interval[1]}]` : ""}: ${verdict}`;
}
