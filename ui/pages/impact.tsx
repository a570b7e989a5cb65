import type { ComponentChildren } from "preact";
import type { Comparison } from "../../src/recall/metrics/compare.js";
import type { ImpactPoint } from "../../src/recall/metrics/impact-over-time.js";
import type { ImpactPage as ImpactPageView } from "../../src/ui/routes/impact-routes.js";
import { type Measure, toldValue } from "../../src/ui/views/measure-words.js";
import { useLoaded } from "../api.js";
import { BandChart } from "../charts/band-chart.js";
import { DifferenceBar } from "../charts/difference-bar.js";
import { EvidenceBar } from "../charts/evidence-bar.js";
import { TaskDots } from "../charts/task-dots.js";
import { Badge } from "../parts/badges.js";
import { Head } from "../parts/head.js";
import { Link } from "../parts/link.js";
import { Empty, Ready } from "../parts/state.js";
import { count, dayOf, figure, percent } from "../words.js";

export function ImpactPage() {
  const loaded = useLoaded<ImpactPageView>("/api/impact");
  return (
    <>
      <Head title="Does it help?">
        <p>
          Tasks with memory against tasks without. A difference counts only if its 95 % interval excludes
          zero.
        </p>
      </Head>
      <Ready loaded={loaded}>{(page) => <Impact page={page} />}</Ready>
    </>
  );
}

function Impact({ page: { metrics, overTime, learnings, holdout } }: { page: ImpactPageView }) {
  const { comparison, retry_improvement: retries } = metrics;
  const names = {
    treatment: "with memory",
    baseline: comparison.baseline === "control group" ? "control group" : "shown nothing",
  };
  if (metrics.finished_tasks === 0)
    return (
      <Empty title="No finished task yet">
        <p>Figures appear with the first tasks that Ralph started. A control group makes them proof:</p>
        <pre>ralph config set recall.holdout 0.1</pre>
      </Empty>
    );
  const saved = metrics.iterations_saved;
  return (
    <div class="stack is-loose">
      <dl class="figures">
        <Figure name="finished tasks" value={count(metrics.finished_tasks)} />
        <Figure
          name="iterations saved per task"
          value={
            saved.verdict === "too few tasks to tell" || saved.value === undefined ? "?" : figure(saved.value)
          }
        />
        <Figure name="similar tasks shown" value={count(metrics.cross_task_retrieval_count)} />
        <Figure
          name="reflections that helped"
          value={
            metrics.reflection_helpfulness.rate === undefined
              ? "?"
              : percent(metrics.reflection_helpfulness.rate)
          }
        />
      </dl>
      {comparison.baseline !== "control group" && (
        <p class="note">
          There is no control group{holdout > 0 ? " yet" : ""}: tasks that happened to be shown nothing are
          the baseline, which proves less. {holdout > 0 ? `recall.holdout is ${holdout}.` : ""}
          {holdout === 0 && (
            <>
              {" "}
              <code>ralph config set recall.holdout 0.1</code> makes every tenth task one.
            </>
          )}
        </p>
      )}
      <section>
        <h2 class="section-head">With memory, and without</h2>
        <Comparisons what="Measure" names={names}>
          <Row name="success rate" names={names} comparison={comparison.success_rate} measure="share" />
          <Row
            name="iterations to completion"
            names={names}
            comparison={comparison.iterations_to_completion}
          />
          <Row
            name="final quality"
            names={names}
            comparison={comparison.final_quality_score}
            measure="share"
          />
          <Row
            name="time to completion"
            names={names}
            comparison={comparison.time_to_completion_seconds}
            measure="seconds"
          />
        </Comparisons>
      </section>
      <section>
        <h2 class="section-head">Success rate of retries with reflections</h2>
        <Comparisons what="Compared with" names={retryNames}>
          <Row name="first attempts" names={retryNames} comparison={retries.improvement} measure="share" />
          <Row
            name="retries without reflections"
            names={retryNames}
            comparison={retries.effect_of_reflections}
            measure="share"
          />
        </Comparisons>
      </section>
      <div class="columns">
        <Chart title="Iterations to completion, over time" points={overTime.iterations} names={names}>
          <BandChart
            points={overTime.iterations}
            unit="iterations, mean so far with its 95 % band"
            names={names}
          />
        </Chart>
        <Chart title="Success rate, over time" points={overTime.success} names={names} isShare>
          <BandChart
            points={overTime.success}
            unit="success rate so far with its 95 % band"
            isShare
            names={names}
          />
        </Chart>
      </div>
      {overTime.tasks.length > 0 && (
        <figure class="panel stack">
          <figcaption class="section-head is-column">
            <h2>Iterations per task</h2>
            <Legend names={names} />
          </figcaption>
          <TaskDots tasks={overTime.tasks} />
        </figure>
      )}
      <section>
        <h2 class="section-head">Learnings by lift</h2>
        {learnings.length === 0 ? (
          <Empty title="No learning was shown to a finished task yet" />
        ) : (
          <div class="table-frame">
            <table class="table is-stacked">
              <thead>
                <tr>
                  <th scope="col">Learning</th>
                  <th scope="col">Evidence</th>
                  <th scope="col" class="number">
                    Lift
                  </th>
                </tr>
              </thead>
              <tbody>
                {learnings.map((row) => (
                  <tr key={row.id}>
                    <td class="wide">
                      <Link to={`/learnings/${row.id}`}>{row.statement}</Link>
                      <div class="soft small">
                        {row.type}, {row.taskType}
                      </div>
                    </td>
                    <td>
                      <EvidenceBar evidence={row.evidence} />
                    </td>
                    <td class="number" data-name="lift">
                      {percent(row.evidence.lift)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </div>
  );
}

const retryNames = { baseline: "those", treatment: "with reflections" };

function Comparisons({ what, names, children }: { what: string; names: Names; children: ComponentChildren }) {
  return (
    <div class="table-frame">
      <table class="table is-stacked">
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col" class="number">
              {names.baseline}
            </th>
            <th scope="col" class="number">
              {names.treatment}
            </th>
            <th scope="col">Difference, 95 %</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const tones = {
  better: "ok",
  worse: "bad",
  "no difference can be told": "plain",
  "too few tasks to tell": "warn",
} as const;

function Row({
  name,
  comparison,
  names,
  measure = "count",
}: {
  name: string;
  comparison: Comparison;
  names: Names;
  measure?: Measure;
}) {
  const group = ({ n, value }: Comparison["baseline"]) => (
    <>
      {toldValue(value, measure)} <span class="soft small">n {count(n)}</span>
    </>
  );
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number" data-name={names.baseline}>
        {group(comparison.baseline)}
      </td>
      <td class="number" data-name={names.treatment}>
        {group(comparison.treatment)}
      </td>
      <td>
        <DifferenceBar comparison={comparison} measure={measure} />
      </td>
      <td>
        <Badge tone={tones[comparison.verdict]} word={comparison.verdict} />
      </td>
    </tr>
  );
}

type Names = { baseline: string; treatment: string };

function Legend({ names }: { names: Names }) {
  return (
    <span class="legend">
      <span>
        <span class="swatch is-with" />
        {names.treatment}
      </span>
      <span>
        <span class="swatch is-without" />
        {names.baseline}
      </span>
    </span>
  );
}

function Chart({
  title,
  points,
  names,
  isShare = false,
  children,
}: {
  title: string;
  points: readonly ImpactPoint[];
  names: Names;
  isShare?: boolean;
  children: ComponentChildren;
}) {
  const tell = (value: number | undefined) =>
    value === undefined ? "–" : isShare ? percent(value) : figure(value);
  return (
    <figure class="panel stack">
      <figcaption class="section-head is-column">
        <h2>{title}</h2>
        <Legend names={names} />
      </figcaption>
      {points.length < 2 ? <p class="soft">Too few tasks to draw.</p> : children}
      {points.length >= 2 && (
        <details class="small">
          <summary>The figures</summary>
          <div class="table-frame">
            <table class="table is-stacked">
              <thead>
                <tr>
                  <th scope="col">By</th>
                  <th scope="col" class="number">
                    {names.baseline}
                  </th>
                  <th scope="col" class="number">
                    {names.treatment}
                  </th>
                </tr>
              </thead>
              <tbody>
                {points
                  .filter(
                    (_, index) => index % Math.ceil(points.length / 12) === 0 || index === points.length - 1,
                  )
                  .map(({ time, baseline, treatment }) => (
                    <tr key={time}>
                      <th scope="row">{dayOf(time)}</th>
                      <td class="number">
                        {tell(baseline?.value)} (n {baseline?.n ?? 0})
                      </td>
                      <td class="number">
                        {tell(treatment?.value)} (n {treatment?.n ?? 0})
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </figure>
  );
}
