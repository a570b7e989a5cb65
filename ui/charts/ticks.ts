/** Round numbers that span a range, about as many as asked for. */
export function ticksOf(lowest: number, highest: number, wanted: number): number[] {
  const span = highest - lowest || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power * 10;
  const ticks: number[] = [];
  for (let tick = Math.floor(lowest / step) * step; tick < highest + step; tick += step)
    ticks.push(Math.round(tick * 1e6) / 1e6);
  return ticks;
}
