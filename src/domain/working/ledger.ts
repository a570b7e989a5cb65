/** Where an agent stopped: its checkpoint. Fields are named as in the published format; others are kept. */
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
  /** Ids of records. */
  patterns_learned: string[];
  current_goal?: string;
}
