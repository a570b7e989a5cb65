import type { ImpactTask } from "../../src/recall/metrics/impact-over-time.js";
import { dayOf } from "../words.js";
import { ticksOf } from "./ticks.js";
import { useWidth } from "./use-width.js";

const height = 220;
const margin = { left: 46, right: 12, top: 12, bottom: 40 };

/** Iterations of each task, in the order in which they were finished. */
export function TaskDots({ tasks }: { tasks: readonly ImpactTask[] }) {
  const { own, width } = useWidth<HTMLDivElement>(640);
  const most = Math.max(...tasks.map(({ iterations }) => iterations), 2);
  const ticks = ticksOf(0, most, 4).filter(Number.isInteger);
  const top = ticks.at(-1) ?? most;
  const y = (value: number) => margin.top + (1 - value / top) * (height - margin.top - margin.bottom);
  const x = (index: number) =>
    margin.left + ((index + 0.5) / tasks.length) * (width - margin.left - margin.right);
  const last = tasks.length - 1;
  return (
    <div ref={own}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Iterations of each finished task"
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="axis" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text x={margin.left - 6} y={y(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {tasks.map(({ task_id: id, group, iterations, succeeded }, index) => {
          const kind = group === "baseline" ? "without" : "with";
          const [cx, cy] = [x(index), y(iterations)];
          return succeeded ? (
            <circle key={id} class={`dot-${kind}`} {...{ cx, cy }} r="3.5">
              <title>{`${id}: ${iterations}`}</title>
            </circle>
          ) : (
            <path key={id} class={`line-${kind} cross`} d={`M${cx - 3.5} ${cy - 3.5}l7 7m0-7l-7 7`}>
              <title>{`${id}: ${iterations}, failed`}</title>
            </path>
          );
        })}
        <text x={margin.left} y={height - 22}>
          {dayOf(tasks[0]?.finished ?? "")}
        </text>
        {last > 0 && (
          <text x={width - margin.right} y={height - 22} text-anchor="end">
            {dayOf(tasks[last]?.finished ?? "")}
          </text>
        )}
        <text x={margin.left} y={height - 5}>
          iterations (× failed)
        </text>
      </svg>
    </div>
  );
}
