import type { GroupAt, ImpactPoint } from "../../src/recall/metrics/impact-over-time.js";
import { dayOf, figure, percent } from "../words.js";
import { ticksOf } from "./ticks.js";
import { useWidth } from "./use-width.js";

const height = 260;
const margin = { left: 46, right: 12, top: 12, bottom: 40 };

export interface BandChartProps {
  points: readonly ImpactPoint[];
  /** What the vertical axis counts. */
  unit: string;
  isShare?: boolean;
  names: { baseline: string; treatment: string };
}

/** Both groups' figures as tasks were finished, each with its 95 % band. */
export function BandChart({ points, unit, isShare = false, names }: BandChartProps) {
  const { own, width } = useWidth<HTMLDivElement>(640);
  const groups = points.flatMap(({ baseline, treatment }) => [baseline, treatment]).filter(isThere);
  const values = groups.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
  const shownMost = isShare ? 1 : Math.max(...groups.map(({ value }) => value)) * 2;
  const most = isShare ? 1 : Math.min(Math.max(...values), shownMost);
  const ticks = isShare ? [0, 0.25, 0.5, 0.75, 1] : ticksOf(0, most, 4);
  const top = ticks.at(-1) ?? 1;
  const y = (value: number) =>
    margin.top + (1 - Math.max(0, Math.min(top, value)) / top) * (height - margin.top - margin.bottom);
  const x = (index: number) =>
    margin.left +
    (points.length === 1 ? 0.5 : index / (points.length - 1)) * (width - margin.left - margin.right);
  const label = (value: number) => (isShare ? percent(value) : figure(value));
  const dates = [0, Math.floor((points.length - 1) / 2), points.length - 1].filter(
    (index, place, all) => all.indexOf(index) === place,
  );
  return (
    <div ref={own}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${unit}, ${names.treatment} and ${names.baseline}, as tasks were finished`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="axis" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text x={margin.left - 6} y={y(tick) + 4} text-anchor="end">
              {label(tick)}
            </text>
          </g>
        ))}
        {dates.map((index) => (
          <text
            key={index}
            x={x(index)}
            y={height - 22}
            text-anchor={index === 0 ? "start" : index === points.length - 1 ? "end" : "middle"}
          >
            {dayOf(points[index]?.time ?? "")}
          </text>
        ))}
        <text x={margin.left} y={height - 5}>
          {unit}
        </text>
        {(["baseline", "treatment"] as const).map((group) => {
          const kind = group === "baseline" ? "without" : "with";
          const line = points.flatMap((point, index) =>
            point[group] === undefined ? [] : [{ at: x(index), ...point[group] }],
          );
          const banded = line.filter(({ interval }) => interval !== undefined);
          const band = [
            ...banded.map(({ at, interval }) => `${at},${y(interval?.[1] ?? 0)}`),
            ...banded.toReversed().map(({ at, interval }) => `${at},${y(interval?.[0] ?? 0)}`),
          ].join(" ");
          const last = line.at(-1);
          return (
            <g key={group}>
              <polygon class={`band-${kind}`} points={band} />
              <polyline
                class={`line-${kind}`}
                points={line.map(({ at, value }) => `${at},${y(value)}`).join(" ")}
              />
              {last && <circle class={`dot-${kind}`} cx={last.at} cy={y(last.value)} r="3.5" />}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function isThere(group: GroupAt | undefined): group is GroupAt {
  return group !== undefined;
}
