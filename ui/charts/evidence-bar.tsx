import type { EvidenceView } from "../../src/ui/views/learning-row.js";
import { figure, percent } from "../words.js";

const width = 144;
/** So that a dot at the end is not cut. */
const edge = 4;

/** The success rate of tasks that were shown it, as an interval; the line is how tasks go anyway. */
export function EvidenceBar({ evidence }: { evidence: EvidenceView }) {
  const { trials, successes, lower, upper, baseRate, verdict, lift } = evidence;
  if (verdict === "none") return <span class="soft small nowrap">not shown yet</span>;
  const x = (share: number) => edge + share * (width - 2 * edge);
  const words = {
    helps: `helps by at least ${percent(lift)}`,
    hurts: `hurts by at least ${percent(-lift)}`,
    unclear: "too little to tell",
  }[verdict];
  const told = `${percent(lower)} to ${percent(upper)} of the tasks that were shown it succeed; ${percent(baseRate)} do anyway; weight of the evidence ${figure(trials)}`;
  return (
    <span class={`evidence is-${verdict}`}>
      <svg viewBox={`0 0 ${width} 14`} role="img" aria-label={told}>
        <title>{told}</title>
        <rect class="track" x="0" y="4" width={width} height="6" rx="2" />
        <rect class="range" x={x(lower)} y="3" width={Math.max(2, x(upper) - x(lower))} height="8" rx="2" />
        <line class="base" x1={x(baseRate)} x2={x(baseRate)} y1="0" y2="14" />
        <circle class="rate" cx={x(trials === 0 ? 0 : successes / trials)} cy="7" r="3" />
      </svg>
      <span>{words}</span>
    </span>
  );
}
