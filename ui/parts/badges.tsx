import { Link } from "./link.js";

type Tone = "ok" | "bad" | "warn" | "live" | "plain";

export function Badge({ tone = "plain", sign, word }: { tone?: Tone; sign?: string; word: string }) {
  return (
    <span class={`badge is-${tone}`}>
      {sign && <span aria-hidden="true">{sign}</span>}
      {word}
    </span>
  );
}

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  running: ["live", "●"],
  "running elsewhere": ["live", "●"],
  paused: ["warn", "‖"],
  interrupted: ["warn", "‖"],
  "process gone": ["warn", "!"],
  "lease lapsed": ["warn", "!"],
  completed: ["ok", "✓"],
  success: ["ok", "✓"],
  ok: ["ok", "✓"],
  repaired: ["live", "↻"],
  failed: ["bad", "✗"],
  failure: ["bad", "✗"],
  timeout: ["bad", "⏱"],
  warning: ["warn", "!"],
};

/** How something is or ended: a sign, a word and a colour. */
export function StateBadge({ state }: { state: string }) {
  const [tone, sign] = states[state] ?? ["plain", "·"];
  return <Badge tone={tone} sign={sign} word={state} />;
}

export function Verdict({ success }: { success: boolean | undefined }) {
  if (success === undefined) return <span class="soft">·</span>;
  return success ? (
    <span class="yes">
      <span aria-hidden="true">✓</span>
      <span class="hidden">succeeded</span>
    </span>
  ) : (
    <span class="no">
      <span aria-hidden="true">✗</span>
      <span class="hidden">failed</span>
    </span>
  );
}

export function Tags({ tags, path }: { tags: readonly string[]; path: string }) {
  return (
    <>
      {tags.map((tag) => (
        <Link key={tag} class="tag" to={`${path}?tag=${encodeURIComponent(tag)}`}>
          {tag}
        </Link>
      ))}
    </>
  );
}
