import type { Comparison } from "../../src/recall/metrics/compare.js";
import { type Measure, toldDifference } from "../../src/ui/views/measure-words.js";

const width = 144;
const edge = 4;

/** A difference and its 95 % interval around zero. */
export function DifferenceBar({ comparison, measure }: { comparison: Comparison; measure: Measure }) {
  const { difference, interval, verdict } = comparison;
  const told = toldDifference(comparison, measure);
  if (difference === undefined || interval === undefined || told === undefined) return null;
  const reach = measure === "share" ? 1 : Math.max(Math.abs(interval[0]), Math.abs(interval[1])) * 1.1 || 1;
  const x = (value: number) => edge + ((value / reach + 1) / 2) * (width - 2 * edge);
  const tone = verdict === "better" ? "helps" : verdict === "worse" ? "hurts" : "unclear";
  return (
    <span class={`evidence is-${tone}`}>
      <svg viewBox={`0 0 ${width} 14`} role="img" aria-label={`difference and its 95 % interval: ${told}`}>
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
      <span>{told}</span>
    </span>
  );
}
