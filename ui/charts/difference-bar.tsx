import type { Comparison } from "../../src/recall/metrics/compare.js";
import { figure } from "../words.js";

const width = 144;
const edge = 4;

/** A difference and its 95 % interval around zero. */
export function DifferenceBar({ comparison, isShare }: { comparison: Comparison; isShare: boolean }) {
  const { difference, interval, verdict } = comparison;
  if (difference === undefined || interval === undefined || verdict === "too few tasks to tell") return null;
  const reach = isShare ? 1 : Math.max(Math.abs(interval[0]), Math.abs(interval[1])) * 1.1 || 1;
  const x = (value: number) => edge + ((value / reach + 1) / 2) * (width - 2 * edge);
  const told = `difference ${figure(difference)}, 95 % between ${figure(interval[0])} and ${figure(interval[1])}`;
  const tone = verdict === "better" ? "helps" : verdict === "worse" ? "hurts" : "unclear";
  return (
    <span class={`evidence is-${tone}`}>
      <svg viewBox={`0 0 ${width} 14`} role="img" aria-label={told}>
        <title>{told}</title>
        <rect class="track" x="0" y="4" width={width} height="6" rx="2" />
        <rect
          class="range"
          x={x(interval[0])}
          y="3"
          width={Math.max(2, x(interval[1]) - x(interval[0]))}
          height="8"
          rx="2"
        />
        <line class="base" x1={width / 2} x2={width / 2} y1="0" y2="14" />
        <circle class="rate" cx={x(difference)} cy="7" r="3" />
      </svg>
      <span>
        {figure(difference)} [{figure(interval[0])}, {figure(interval[1])}]
      </span>
    </span>
  );
}
