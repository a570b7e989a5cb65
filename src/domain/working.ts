/** An agent's checkpoint: where it stopped. Field names follow the published format; unknown fields are kept. */
export interface Ledger {
  agent_id: string;
  last_checkpoint: string;
  tasks_completed: number;
  current_task?: string;
  state: LedgerState;
  context: LedgerContext;
}

export interface LedgerState {
  files_modified: string[];
  uncommitted_changes: boolean;
  last_git_commit?: string;
}

export interface LedgerContext {
  tech_stack: string[];
  /** Record ids. */
  patterns_learned: string[];
  current_goal?: string;
}

/** What one agent passes on to another. Field names follow the published format; unknown fields are kept. */
export interface Handoff {
  /** `handoff-001`, counting up. */
  id: string;
  from_agent: string;
  to_agent: string;
  timestamp: string;
  /** The task that is handed over. */
  task_id?: string;
  /** Names of the persons or agents who made it and who accepted it. */
  made_by?: string;
  taken_by?: string;
  context: HandoffContext;
  accepted_at?: string;
  accepted_by?: string;
  /** When it was first given to an attempt of the agent that accepted it. */
  delivered_at?: string;
}

export interface HandoffContext {
  what_was_done: string;
  artifacts: string[];
  git_state: string;
  needs_testing: string[];
  known_issues: string[];
  /** Record ids. */
  relevant_patterns: string[];
}

export function handoffIdOf(number: number): string {
  return `handoff-${String(number).padStart(3, "0")}`;
}

/** The number in an id; `handoff-7` means `handoff-007`. */
export function numberOfHandoffId(id: string): number | undefined {
  const digits = /^handoff-(\d{1,12})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
