import { figure } from "../words.js";

/** One colour each; those that never occur together share one. */
const tones: Readonly<Record<string, number>> = {
  text: 1,
  relevant: 1,
  similarity: 1,
  newest: 1,
  words: 2,
  error: 3,
  errors: 3,
  family: 4,
  evidence: 5,
  files: 6,
  prior: 7,
  score: 8,
};

function toneOf(name: string): string {
  return `part-${tones[name] ?? 8}`;
}

/** The terms of a score, stacked: their widths add up. Those that take away are hatched. */
export function ScoreParts({
  parts,
  score,
  highest,
  isSum,
}: {
  parts: Readonly<Record<string, number>>;
  score: number;
  highest: number;
  /** Otherwise each is a score of its own. */
  isSum: boolean;
}) {
  const shown = Object.entries(parts).filter(([, value]) => Math.abs(value) >= 0.005);
  const told = shown.map(([name, value]) => `${name} ${figure(value)}`).join(", ");
  const scale = 100 / Math.max(highest, 0.01);
  return (
    <div>
      <div class="score" role="img" aria-label={`Score ${figure(score)}: ${told}`} title={told}>
        {isSum ? (
          shown.map(([name, value]) => (
            <span
              key={name}
              class={value < 0 ? "part-minus" : toneOf(name)}
              style={{ width: `${Math.abs(value) * scale}%` }}
            />
          ))
        ) : (
          <span class="part-7" style={{ width: `${score * scale}%` }} />
        )}
      </div>
      <div class="legend" aria-hidden="true">
        {!isSum && <span>each by itself:</span>}
        {shown.map(([name, value]) => (
          <span key={name}>
            {isSum && <span class={`swatch ${value < 0 ? "part-minus" : toneOf(name)}`} />}
            {name} {figure(value)}
          </span>
        ))}
      </div>
    </div>
  );
}
