import type { Learning } from "../../domain/knowledge/learning.js";
import { adviceOf } from "../../domain/knowledge/statement.js";
import { type Action, isByRalph, isVerdict, subjectOf } from "../../domain/tasks/action.js";
import type { EncounteredError, IterationResult, Outcome } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { Task } from "../../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { diffStat, type FileStat } from "./diff-stat.js";
import { type ShownText, shownText } from "./shown-text.js";

export interface ActionView {
  /** Counts from 1 within the attempt. */
  step: number;
  at: string;
  /** Until the next action, or the end of its iteration. */
  tookMs: number;
  tool: string;
  subject: string;
  success: boolean;
  /** Who did it: the agent, or Ralph, which found an edit by Git or ran a check. */
  by: "agent" | "git" | "check";
  output?: ShownText;
  error?: ShownText;
  reasoning?: ShownText;
}

export interface IterationView {
  iteration: number;
  from: string;
  to: string;
  success?: boolean;
  quality?: number;
  output?: ShownText;
  said?: ShownText;
  trouble?: string;
  actions: ActionView[];
}

export interface AttemptView {
  id: number;
  started: string;
  /** Until now, while it runs. */
  to: string;
  isRunning: boolean;
  agent?: string;
  outcome?: Outcome;
  approach: string;
  steps: string[];
  plan?: ShownText;
  iterations: IterationView[];
  actionCount: number;
  /** Actions that are not in the iterations above: they are read on demand. */
  actionsLeftOut: number;
  actionsSummary?: string;
  files: FileStat[];
  errors: EncounteredError[];
  reflections: Reflection[];
  memoryCapacity?: number;
  commit?: string;
}

export interface LearnedView {
  id: string;
  type: string;
  statement: string;
}

export interface TaskView extends Omit<Task, "uuid"> {
  /** Those that were written before the first attempt. */
  earlyReflections: Reflection[];
  attempts: AttemptView[];
  learned: LearnedView[];
}

const maxActions = 300;
const maxSubject = 300;
const maxActionText = 1500;

/** A task as a timeline: attempts, the iterations of each with their times, and what was done in them. */
export function viewTask(
  { attempts, reflections, memory_capacity_changes: _changes, uuid: _uuid, ...task }: TaskHistory,
  learned: readonly Learning[],
  now: Date,
): TaskView {
  const reflectionsOn = (attemptId: number) => reflections.filter(({ attempt_id: id }) => id === attemptId);
  return {
    ...task,
    earlyReflections: reflectionsOn(0),
    attempts: attempts.map((attempt) => viewAttempt(attempt, reflectionsOn(attempt.id), now)),
    learned: learned.map((learning) => ({
      id: learning.id,
      type: learning.type,
      statement: adviceOf(learning),
    })),
  };
}

function viewAttempt(attempt: AttemptHistory, reflections: Reflection[], now: Date): AttemptView {
  const { started, ended, actions, results, execution, plan, outcome, plan_text: text } = attempt;
  const to = latest([ended ?? now.toISOString(), started]);
  const shown = actions.slice(0, maxActions);
  return {
    id: attempt.id,
    ...{ started, to },
    isRunning: ended === undefined,
    ...(execution.agent !== undefined && { agent: execution.agent }),
    ...(outcome && { outcome }),
    ...{ approach: plan.approach, steps: plan.steps },
    ...(text && { plan: shownText(text) }),
    iterations: viewIterations(shown, results, { started, to }),
    actionCount: Math.max(actions.length, execution.actions_performed),
    actionsLeftOut: actions.length - shown.length,
    ...(attempt.actions_summary !== undefined && { actionsSummary: attempt.actions_summary }),
    files: diffStat(actions),
    errors: attempt.errors_encountered,
    reflections,
    ...(execution.memory_capacity !== undefined && { memoryCapacity: execution.memory_capacity }),
    ...(attempt.git_commit !== undefined && { commit: attempt.git_commit }),
  };
}

/** An iteration begins where the one before it ended, and ends with its result, or with its last action. */
function viewIterations(
  actions: readonly Action[],
  results: readonly IterationResult[],
  { started, to }: { started: string; to: string },
): IterationView[] {
  const numbers = new Set([...results, ...actions].map(({ iteration }) => iteration));
  const ordered = [...numbers].sort((one, other) => one - other);
  let from = started;
  let step = 0;
  return ordered.map((iteration, index): IterationView => {
    const result = results.find((each) => each.iteration === iteration);
    const own = actions.filter((action) => action.iteration === iteration);
    const isLast = index === ordered.length - 1;
    const end = result?.timestamp ?? (isLast ? to : own.at(-1)?.timestamp) ?? from;
    const until = isLast ? latest([end, own.at(-1)?.timestamp ?? end, from]) : latest([end, from]);
    const view = {
      iteration,
      ...{ from, to: until },
      ...(result?.success !== undefined && { success: result.success }),
      ...(result?.quality !== undefined && { quality: result.quality }),
      ...(result?.output !== undefined && { output: shownText(result.output) }),
      ...(result?.said !== undefined && { said: shownText(result.said) }),
      ...(result?.trouble !== undefined && { trouble: result.trouble }),
      actions: own.map((action, place) => {
        step += 1;
        return viewAction(action, step, own[place + 1]?.timestamp ?? until);
      }),
    };
    from = until;
    return view;
  });
}

export function viewAction(action: Action, step: number, until: string): ActionView {
  const { timestamp: at, tool, success, output, error, reasoning } = action;
  return {
    step,
    at,
    tookMs: Math.max(0, Date.parse(until) - Date.parse(at)),
    tool,
    subject: subjectOf(action).slice(0, maxSubject),
    success,
    by: isVerdict(action) ? "check" : isByRalph(action) ? "git" : "agent",
    ...(output && { output: shownText(output, maxActionText) }),
    ...(error && { error: shownText(error, maxActionText) }),
    ...(reasoning && { reasoning: shownText(reasoning, maxActionText) }),
  };
}

function latest(times: readonly string[]): string {
  return times.reduce((last, time) => (time > last ? time : last), "");
}
