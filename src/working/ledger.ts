import { RalphError } from "../domain/ralph-error.js";
import type { Ledger } from "../domain/working.js";
import { redactDeep } from "../text/secrets/redact.js";
import { unique } from "../text/unique.js";
import { checkAgent, checkFields, checkOptionalText, checkTexts, checkTime } from "./fields.js";
import type { GitState } from "./git-state.js";

/** What an agent reports at a checkpoint; omitted fields are filled in from the records or stay the same. */
export interface Checkpoint {
  taskId?: string | undefined;
  goal?: string | undefined;
  techStack?: readonly string[] | undefined;
  /** Ids of records. */
  patterns?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
}

/** What is recorded at the time of a checkpoint. */
export interface CheckpointFacts {
  agent: string;
  now: string;
  before: Ledger | undefined;
  tasksCompleted: number;
  currentTask: string | undefined;
  /** Files that the agent edited in the current attempt. */
  editedFiles: readonly string[];
  git: GitState | undefined;
}

/** Validates a checkpoint and redacts secrets. */
export function checkCheckpoint({ taskId, goal, techStack, patterns, files }: Checkpoint): Checkpoint {
  return {
    taskId,
    goal: checkOptionalText("The goal", goal),
    techStack: techStack && checkTexts("The tech stack", techStack),
    patterns: checkTexts("The patterns", patterns),
    files: files && checkTexts("The files", files),
  };
}

/** The updated ledger of an agent. */
export function buildLedger(facts: CheckpointFacts, checkpoint: Checkpoint): Ledger {
  const { agent, now, before, currentTask, editedFiles, git } = facts;
  const { current_task: _task, state: _state, context, ...others } = before ?? {};
  const goal = checkpoint.goal ?? context?.current_goal;
  const recorded = editedFiles.length > 0 ? editedFiles : (git?.changedFiles ?? []);
  return {
    ...others,
    agent_id: agent,
    last_checkpoint: now,
    // An imported ledger may count tasks that are not recorded here.
    tasks_completed: Math.max(facts.tasksCompleted, before?.tasks_completed ?? 0),
    ...(currentTask !== undefined && { current_task: currentTask }),
    state: {
      files_modified: redactDeep([...(checkpoint.files ?? recorded)]),
      uncommitted_changes: (git?.changedFiles.length ?? 0) > 0,
      ...(git?.commit !== undefined && { last_git_commit: git.commit }),
    },
    context: {
      ...context,
      tech_stack: [...(checkpoint.techStack ?? context?.tech_stack ?? [])],
      patterns_learned: unique([...(context?.patterns_learned ?? []), ...(checkpoint.patterns ?? [])]),
      ...(goal !== undefined && { current_goal: goal }),
    },
  };
}

/** Parses a ledger from another program; unknown fields are kept. */
export function parseLedger(raw: unknown): Ledger {
  const fields = checkFields("A ledger", raw);
  const state = checkFields("state", fields.state ?? {});
  const context = checkFields("context", fields.context ?? {});
  const { tasks_completed: completed = 0 } = fields;
  if (typeof completed !== "number" || !Number.isSafeInteger(completed) || completed < 0)
    throw new RalphError("wrong-use", "tasks_completed must be a whole number, 0 or more");
  const currentTask = checkOptionalText("current_task", fields.current_task);
  const commit = checkOptionalText("last_git_commit", state.last_git_commit);
  const goal = checkOptionalText("current_goal", context.current_goal);
  return redactDeep({
    ...without(fields, "current_task"),
    agent_id: checkAgent(fields.agent_id),
    last_checkpoint: checkTime("last_checkpoint", fields.last_checkpoint),
    tasks_completed: completed,
    ...(currentTask !== undefined && { current_task: currentTask }),
    state: {
      ...without(state, "last_git_commit"),
      files_modified: checkTexts("files_modified", state.files_modified),
      uncommitted_changes: state.uncommitted_changes === true,
      ...(commit !== undefined && { last_git_commit: commit }),
    },
    context: {
      ...without(context, "current_goal"),
      tech_stack: checkTexts("tech_stack", context.tech_stack),
      patterns_learned: checkTexts("patterns_learned", context.patterns_learned),
      ...(goal !== undefined && { current_goal: goal }),
    },
  });
}

function without(fields: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}
