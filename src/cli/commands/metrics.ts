import type { Comparison } from "../../recall/metrics/compare.js";
import type { ImpactMetrics } from "../../recall/metrics/measure-impact.js";
import { defineCommand } from "../framework/command.js";
import { sinceOf, sinceOption } from "../framework/options.js";
import { renderJson } from "../output/terminal/style.js";
import { type Column, renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";

export const metricsCommand = defineCommand({
  summary: "measure whether memory helps",
  description:
    "Compares tasks that were given memory with a control group, and retries that started with reflections with first\n" +
    "attempts. The setting recall.holdout picks control tasks at random: 0.1 means one task in ten. A difference counts\n" +
    "only if its 95 % confidence interval excludes zero.",
  options: {
    since: sinceOption("only tasks started since then"),
  },
  isLong: true,
  examples: ["ralph metrics", "ralph metrics --since 30d --json"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const since = sinceOf(options) ?? "";
    const metrics = await memory.metrics({ since });
    if (format === "json") terminal.out(renderJson(metrics));
    else showMetrics(metrics, terminal);
  },
});

function showMetrics(metrics: ImpactMetrics, terminal: Terminal): void {
  const {
    comparison,
    retry_improvement: retries,
    memory_capacity_used: used,
    iterations_saved: saved,
  } = metrics;
  const figures: [string, string][] = [
    ["finished tasks", String(metrics.finished_tasks)],
    ["cross_task_retrieval_count", String(metrics.cross_task_retrieval_count)],
    ["cross_task_success_rate", share(metrics.cross_task_success_rate)],
    [
      "memory_capacity_used",
      used.mean === undefined ? "no second attempts yet" : `${used.mean} on average, ${used.max} at most`,
    ],
    ["reflection_helpfulness", share(metrics.reflection_helpfulness)],
    ["iterations_saved", judged(saved.value, saved)],
  ];
  terminal.out(renderTable(["METRIC", "VALUE"], figures, terminal));
  const { baseline, ...measures } = comparison;
  terminal.out(
    baseline === "control group"
      ? "\nTasks with memory, compared with the control group\n"
      : "\nTasks with memory, compared with tasks that got none (no control group: weaker evidence)\n",
  );
  terminal.out(
    renderTable(
      comparisonColumns("MEASURE", "WITHOUT", "WITH"),
      Object.entries(measures).map(([name, compared]) => toRow(name, compared)),
      terminal,
    ),
  );
  terminal.out("\nSuccess rate of retries that started with reflections\n");
  terminal.out(
    renderTable(
      comparisonColumns("COMPARED WITH", "BASELINE", "RETRIES"),
      [
        toRow("first attempts", retries.improvement),
        toRow("retries without reflections", retries.effect_of_reflections),
      ],
      terminal,
    ),
  );
}

/** Half a figure misleads: on a narrow screen they go below what they are about. */
function comparisonColumns(about: string, baseline: string, treatment: string): Column[] {
  const figures = [baseline, treatment, "DIFFERENCE (95 %)"];
  return [{ title: about }, ...figures.map((title): Column => ({ title, isBelow: true }))];
}

function toRow(name: string, { baseline, treatment, ...compared }: Comparison): string[] {
  const group = ({ n, value }: Comparison["baseline"]) =>
    `${value === undefined ? "–" : figure(value)} (n ${n})`;
  return [name, group(baseline), group(treatment), judged(compared.difference, compared)];
}

/** Hides a difference that is too uncertain: readers believe any figure they see. */
function judged(
  difference: number | undefined,
  { interval, verdict }: Pick<Comparison, "interval" | "verdict">,
): string {
  if (difference === undefined || interval === undefined || verdict === "too few tasks to tell")
    return verdict;
  const margin = `${figure(difference)} [${interval.map(figure).join(", ")}]`;
  return `${verdict === "no difference can be told" ? "unclear" : verdict}: ${margin}`;
}

function figure(value: number): string {
  return String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
}

function share({ rate, of }: { rate?: number; of: number }): string {
  return rate === undefined ? "no data yet" : `${Math.round(rate * 100)} % of ${of}`;
}
