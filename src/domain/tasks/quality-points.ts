import type { QualityPoint } from "./attempt.js";

/** How quality went from one iteration to the next, among those that have one. */
export function qualityPoints(
  results: readonly { iteration: number; quality?: number | undefined }[],
): QualityPoint[] {
  let before = 0;
  return results.flatMap(({ iteration, quality }) => {
    if (quality === undefined) return [];
    const delta = difference(quality, before);
    before = quality;
    return [{ iteration, quality, delta }];
  });
}

/** Without the last digits, which come from counting in binary: 0.6 − 0.4 is 0.2. */
function difference(quality: number, before: number): number {
  return Number((quality - before).toFixed(12));
}
