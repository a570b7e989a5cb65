import type { Comparison } from "../../recall/metrics/compare.js";
import type { GroupAt, ImpactPoint } from "../../recall/metrics/impact-over-time.js";
import type { ImpactPage } from "../routes/impact-routes.js";
import { type Measure, toldDifference, toldValue } from "../views/measure-words.js";
import type { TaskRow } from "../views/task-row.js";
import { badge, figure, percent, told } from "./format-values.js";
import { html, type Markup } from "./html.js";

export interface ProjectFigures {
  name: string;
  impact: ImpactPage;
  counts: Readonly<Record<string, number>>;
  recent: readonly TaskRow[];
}

/** The project's figures: what there is, whether it helps, and what helped most. */
export function projectReport({ name, impact, counts, recent }: ProjectFigures): Markup {
  const { metrics, overTime, learnings } = impact;
  const { comparison, retry_improvement: retries } = metrics;
  const without = comparison.baseline === "control group" ? "control group" : "shown nothing";
  return html`<section class="stack is-loose">
    <header class="head"><div><p class="crumb">Project</p><h1>${name}</h1></div></header>
    <dl class="figures">${Object.entries(counts).map(
      ([what, count]) => html`<div class="figure"><dt>${what}</dt><dd>${count}</dd></div>`,
    )}</dl>
    <section><h2 class="section-head">Does memory help?</h2>
      ${comparison.baseline !== "control group" && html`<p class="note">There is no control group: tasks that happened to be shown nothing are the baseline, which proves less.</p>`}
      <div class="table-frame"><table class="table"><thead>${headOf("Measure", without, "with memory")}</thead>
      <tbody>
        ${row("success rate", comparison.success_rate, "share")}
        ${row("iterations to completion", comparison.iterations_to_completion)}
        ${row("final quality", comparison.final_quality_score, "share")}
        ${row("time to completion", comparison.time_to_completion_seconds, "seconds")}
      </tbody></table></div>
    </section>
    <section><h2 class="section-head">Success rate of retries with reflections</h2>
      <div class="table-frame"><table class="table"><thead>${headOf("Compared with", "those", "with reflections")}</thead>
      <tbody>
        ${row("first attempts", retries.improvement, "share")}
        ${row("retries without reflections", retries.effect_of_reflections, "share")}
      </tbody></table></div>
    </section>
    ${overTime.iterations.length > 1 && chart(overTime.iterations, without)}
    <section><h2 class="section-head">Learnings by lift</h2>${
      learnings.length === 0
        ? html`<p class="panel soft">No learning was shown to a finished task yet.</p>`
        : html`<div class="table-frame"><table class="table"><thead><tr><th scope="col">Learning</th><th scope="col" class="number">Success rate</th><th scope="col" class="number">Anyway</th><th scope="col" class="number">Lift</th></tr></thead><tbody>${learnings.map(
            ({ statement, remedy, evidence }) =>
              html`<tr><td class="wide">${statement}${remedy !== undefined && html`<div class="remedy small">→ ${remedy}</div>`}</td><td class="number">${percent(evidence.lower)} to ${percent(evidence.upper)}</td><td class="number">${percent(evidence.baseRate)}</td><td class="number">${percent(evidence.lift)}</td></tr>`,
          )}</tbody></table></div>`
    }</section>
    <section><h2 class="section-head">Latest tasks</h2><div class="table-frame"><table class="table"><thead><tr><th scope="col">Task</th><th scope="col">Objective</th><th scope="col">State</th><th scope="col" class="number">Attempts</th><th scope="col">Updated</th></tr></thead><tbody>${recent.map(
      (task) =>
        html`<tr><td class="mono nowrap">${task.id}</td><td class="wide">${task.description}</td><td>${badge(task.status)}</td><td class="number">${task.total_attempts}</td><td class="nowrap soft">${told(task.updated)}</td></tr>`,
    )}</tbody></table></div></section>
  </section>`;
}

function headOf(what: string, baseline: string, treatment: string): Markup {
  return html`<tr><th scope="col">${what}</th><th scope="col" class="number">${baseline}</th><th scope="col" class="number">${treatment}</th><th scope="col">Difference, 95 %</th><th scope="col">Verdict</th></tr>`;
}

function row(name: string, comparison: Comparison, measure: Measure = "count"): Markup {
  const group = ({ n, value }: Comparison["baseline"]) =>
    html`<td class="number">${toldValue(value, measure)} <span class="soft small">n ${n}</span></td>`;
  const { baseline, treatment, verdict } = comparison;
  return html`<tr><th scope="row">${name}</th>${group(baseline)}${group(treatment)}<td>${toldDifference(comparison, measure)}</td><td>${badge(verdict)}</td></tr>`;
}

const width = 720;
const height = 240;
const margin = { left: 40, right: 10, top: 10, bottom: 36 };

/** Iterations to completion of both groups as tasks were finished, with their 95 % bands. */
function chart(points: readonly ImpactPoint[], without: string): Markup {
  const means = points
    .flatMap(({ baseline, treatment }) => [baseline, treatment])
    .flatMap((group) => (group === undefined ? [] : [group.value]));
  const top = Math.ceil(Math.max(...means) * 1.6);
  const x = (index: number) =>
    (margin.left + (index / (points.length - 1)) * (width - margin.left - margin.right)).toFixed(1);
  const y = (value: number) =>
    (
      margin.top +
      (1 - Math.max(0, Math.min(top, value)) / top) * (height - margin.top - margin.bottom)
    ).toFixed(1);
  const group = (name: "baseline" | "treatment", kind: string): Markup => {
    const known = points.flatMap((point, index) => {
      const at: GroupAt | undefined = point[name];
      return at === undefined ? [] : [{ index, ...at }];
    });
    const banded = known.filter(({ interval }) => interval !== undefined);
    const band = [
      ...banded.map(({ index, interval }) => `${x(index)},${y(interval?.[1] ?? 0)}`),
      ...banded.toReversed().map(({ index, interval }) => `${x(index)},${y(interval?.[0] ?? 0)}`),
    ].join(" ");
    const line = known.map(({ index, value }) => `${x(index)},${y(value)}`).join(" ");
    return html`<polygon class="band-${kind}" points="${band}"></polygon><polyline class="line-${kind}" points="${line}"></polyline>`;
  };
  const ticks = [0, top / 2, top];
  return html`<figure class="panel"><figcaption class="section-head"><h2>Iterations to completion, over time</h2><span class="legend"><span><span class="swatch is-with"></span>with memory</span><span><span class="swatch is-without"></span>${without}</span></span></figcaption>
    <svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="Mean iterations so far, with 95 % bands">
      ${ticks.map((tick) => html`<line class="axis" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"></line><text x="${margin.left - 6}" y="${y(tick)}" dy="4" text-anchor="end">${figure(tick)}</text>`)}
      ${group("baseline", "without")}${group("treatment", "with")}
      <text x="${margin.left}" y="${height - 18}">${points[0]?.time.slice(0, 10)}</text><text x="${width - margin.right}" y="${height - 18}" text-anchor="end">${points.at(-1)?.time.slice(0, 10)}</text>
      <text x="${margin.left}" y="${height - 2}">iterations, mean so far with its 95 % band</text>
    </svg></figure>`;
}
