import type { Comparison } from "../../../recall/metrics/compare.js";
import type { ImpactMetrics } from "../../../recall/metrics/measure-impact.js";
import { defineCommand } from "../../framework/command.js";
import { readSince } from "../../input/read-since.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

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
      used.mean === undefined ? "no second attempt yet" : `${used.mean} on average, ${used.max} at most`,
    ],
    ["reflection_helpfulness", share(metrics.reflection_helpfulness)],
    ["iterations_saved", judged(saved.value, saved)],
  ];
  terminal.out(renderTable(["METRIC", "VALUE"], figures, terminal));
  const { baseline, ...measures } = comparison;
  terminal.out(
    baseline === "control group"
      ? "\nTasks with memory, and those of the control group without\n"
      : "\nTasks with memory, and those that were shown nothing (no lot was drawn: this proves less)\n",
  );
  terminal.out(
    renderTable(
      ["MEASURE", "WITHOUT", "WITH", "DIFFERENCE (95 %)"],
      Object.entries(measures).map(([name, compared]) => toRow(name, compared)),
      terminal,
    ),
  );
  terminal.out("\nHow often retries succeed that began with reflections\n");
  terminal.out(
    renderTable(
      ["COMPARED WITH", "THESE", "RETRIES", "DIFFERENCE (95 %)"],
      [
        toRow("first attempts", retries.improvement),
        toRow("retries without reflections", retries.effect_of_reflections),
      ],
      terminal,
    ),
  );
}

function toRow(name: string, { baseline, treatment, ...compared }: Comparison): string[] {
  const group = ({ n, value }: Comparison["baseline"]) =>
    `${value === undefined ? "–" : figure(value)} (n ${n})`;
  return [name, group(baseline), group(treatment), judged(compared.difference, compared)];
}

/** A difference that is too uncertain to be told is not told: whoever reads a figure believes it. */
function judged(
  difference: number | undefined,
  { interval, verdict }: Pick<Comparison, "interval" | "verdict">,
): string {
  if (difference === undefined || interval === undefined || verdict === "too few tasks to tell")
    return verdict;
  const margin = `${figure(difference)} [${interval.map(figure).join(", ")}]`;
  return `${verdict === "no difference can be told" ? "unclear" : verdict}: ${margin}`;
}

/** Two decimals, where they still tell something. */
function figure(value: number): string {
  return String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
}

function share({ rate, of }: { rate?: number; of: number }): string {
  return rate === undefined ? "nothing to count yet" : `${Math.round(rate * 100)} % of ${of}`;
}
