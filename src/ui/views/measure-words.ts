import type { Comparison } from "../../recall/metrics/compare.js";

/** What a figure counts. */
export type Measure = "share" | "count" | "seconds";

const units: Record<Measure, string> = { share: " points", count: "", seconds: " s" };

export function toldValue(value: number | undefined, measure: Measure): string {
  if (value === undefined) return "–";
  if (measure === "share") return `${Math.round(value * 100)} %`;
  return measure === "seconds" ? `${Math.round(value)} s` : String(rounded(value));
}

/** `−2.07 [−3.33, −0.8]`; of shares in points of a hundred. Undefined if there is nothing to compare. */
export function toldDifference(
  { difference, interval, verdict }: Comparison,
  measure: Measure,
): string | undefined {
  if (difference === undefined || interval === undefined || verdict === "too few tasks to tell")
    return undefined;
  const signed = (value: number) => {
    const shown = measure === "share" ? Math.round(value * 100) : rounded(value);
    return shown < 0 ? `−${-shown}` : shown > 0 ? `+${shown}` : "0";
  };
  return `${signed(difference)}${units[measure]} [${signed(interval[0])}, ${signed(interval[1])}]`;
}

function rounded(value: number): number {
  return Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Math.round(value);
}
