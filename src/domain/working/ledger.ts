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
