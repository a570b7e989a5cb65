import { pickAttempt } from "../../../domain/tasks/attempt.js";
import type { Reflection } from "../../../domain/tasks/reflection.js";
import type { AttemptHistory, TaskHistory } from "../../../episodic/history/query-history.js";
import type { Terminal } from "../terminal/terminal.js";
import { renderAttempt, renderReflection, renderTaskHistory } from "./history.js";
import { renderHistoryMarkdown } from "./history-markdown.js";

/** What of a task is asked for: all of it, one attempt, its reflections, or those of one attempt. */
export interface HistorySelection {
  attempt?: number | undefined;
  reflections: boolean;
}

/** It as a value for JSON, as lines for a terminal and as a Markdown document. */
export interface SelectedHistory {
  value: unknown;
  text(terminal: Terminal): string;
  markdown(): string;
}

/** An attempt that is not there is an error. */
export function selectFromHistory(
  history: TaskHistory,
  { attempt: number, reflections: isOnlyReflections }: HistorySelection,
): SelectedHistory {
  const attempt = number === undefined ? undefined : pickAttempt(history, history.attempts, number);
  if (isOnlyReflections) return reflectionsOf(history, attempt);
  if (attempt === undefined) {
    return {
      value: history,
      text: (terminal) => renderTaskHistory(history, terminal),
      markdown: () => renderHistoryMarkdown(history),
    };
  }
  return {
    value: attempt,
    text: (terminal) => `${renderAttempt(attempt, history.reflections, terminal).join("\n")}\n`,
    markdown: () =>
      renderHistoryMarkdown({ ...history, attempts: [attempt], reflections: ofAttempt(history, attempt) }),
  };
}

function ofAttempt({ reflections }: TaskHistory, attempt: AttemptHistory): Reflection[] {
  return reflections.filter(({ attempt_id: id }) => id === attempt.id);
}

function reflectionsOf(history: TaskHistory, attempt: AttemptHistory | undefined): SelectedHistory {
  const shown = attempt === undefined ? history.reflections : ofAttempt(history, attempt);
  const text = () => shown.map(renderReflection).join("\n");
  return { value: shown, text, markdown: text };
}
