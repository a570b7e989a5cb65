import type { ComponentChildren } from "preact";
import type { Loaded, Problem } from "../api.js";

/** What went wrong, and what to do about it. */
export function ProblemPanel({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <strong>{titleOf(problem)}</strong>
      <p>{problem.message}</p>
      {problem.hint && <p class="soft">{problem.hint}</p>}
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

const titles: Partial<Record<Problem["code"], string>> = {
  "not-found": "Not found",
  "store-busy": "Somebody else is writing",
  "store-damaged": "The records are damaged",
  "index-damaged": "The search index is damaged",
  "store-away": "The team's server cannot be reached",
  "store-too-new": "These records were written by a newer Ralph",
  "invalid-settings": "The settings are not valid",
  "merge-conflict": "Changed by somebody else",
  "not-trusted": "Not allowed yet",
  "file-unusable": "A file cannot be used",
  "wrong-use": "That does not work",
};

function titleOf({ code }: Problem): string {
  return titles[code] ?? "Something went wrong";
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** The value once it is there; before that, that it is being read, or why it cannot be. */
export function Ready<Value>({
  loaded,
  children,
}: {
  loaded: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { value, problem, isLoading, reload } = loaded;
  if (problem !== undefined && (value === undefined || problem.code === "not-found"))
    return <ProblemPanel problem={problem} onRetry={reload} />;
  if (value === undefined) return <p class="starting">{isLoading ? "Loading…" : ""}</p>;
  return (
    <>
      {problem && (
        <div class="problem is-note" role="alert">
          <span>
            {problem.message}
            {problem.hint ? ` (${problem.hint})` : ""}. This is what was known before.
          </span>
          <button type="button" class="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {children(value)}
    </>
  );
}
