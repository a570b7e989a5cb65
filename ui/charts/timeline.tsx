import type { AttemptView, IterationView } from "../../src/ui/views/task-view.js";
import { between, duration } from "../words.js";
import { timeTicks } from "./time-ticks.js";

export interface Chosen {
  attempt: number;
  iteration: number;
}

/** A label further right would leave the chart. */
const nearEnd = 0.95;

/** Attempts one below the other, their iterations as boxes as wide as they took, with a tick for each action. */
export function Timeline({
  attempts,
  chosen,
  onChoose,
}: {
  attempts: readonly AttemptView[];
  chosen: Chosen | undefined;
  onChoose(chosen: Chosen): void;
}) {
  const longestMs = Math.max(1, ...attempts.map(({ started, to }) => between(started, to)));
  return (
    <div class="timeline">
      {attempts.map((attempt) => (
        <Lane key={attempt.id} {...{ attempt, longestMs, chosen, onChoose }} />
      ))}
      <div class="lane" aria-hidden="true">
        <span />
        <div class="lane-axis">
          {timeTicks(longestMs).map((ms) => (
            <span
              key={ms}
              class={ms / longestMs > nearEnd ? "is-end" : ""}
              style={{ left: `${(ms / longestMs) * 100}%` }}
            >
              {ms === 0 ? "0" : duration(ms)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Lane({
  attempt,
  longestMs,
  chosen,
  onChoose,
}: {
  attempt: AttemptView;
  longestMs: number;
  chosen: Chosen | undefined;
  onChoose(chosen: Chosen): void;
}) {
  const tookMs = between(attempt.started, attempt.to);
  const state = attempt.isRunning ? "running" : (attempt.outcome?.status ?? "ended");
  return (
    <div class="lane">
      <div class="lane-name">
        <strong>Attempt {attempt.id}</strong>
        <div class="soft">
          {state}, {duration(tookMs)}
        </div>
      </div>
      <div class="lane-track">
        <div class="lane-bar" style={{ width: `${(tookMs / longestMs) * 100}%` }}>
          {attempt.iterations.map((iteration) => (
            <Box
              key={iteration.iteration}
              iteration={iteration}
              share={between(iteration.from, iteration.to) / Math.max(1, tookMs)}
              isLive={attempt.isRunning && iteration === attempt.iterations.at(-1)}
              isChosen={chosen?.attempt === attempt.id && chosen.iteration === iteration.iteration}
              onChoose={() => onChoose({ attempt: attempt.id, iteration: iteration.iteration })}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Box({
  iteration,
  share,
  isLive,
  isChosen,
  onChoose,
}: {
  iteration: IterationView;
  share: number;
  isLive: boolean;
  isChosen: boolean;
  onChoose(): void;
}) {
  const { from, to, success, actions } = iteration;
  const spanMs = Math.max(1, between(from, to));
  const isOpen = isLive && success === undefined;
  const tone = isOpen ? "live" : success === undefined ? "plain" : success ? "ok" : "bad";
  const word = isOpen ? "running" : success === undefined ? "not judged" : success ? "passed" : "failed";
  const label = `Iteration ${iteration.iteration}: ${word}, ${duration(spanMs)}, ${actions.length} actions`;
  return (
    <button
      type="button"
      class={`box is-${tone}`}
      style={{ width: `${share * 100}%` }}
      aria-pressed={isChosen}
      aria-label={label}
      title={label}
      onClick={onChoose}
    >
      <span aria-hidden="true">
        {iteration.iteration}
        {success === undefined ? "" : success ? " ✓" : " ✗"}
      </span>
      {actions.map(({ step, at }) => (
        <span key={step} class="tick" style={{ left: `${(between(from, at) / spanMs) * 98}%` }} />
      ))}
    </button>
  );
}
