export const actionTypes = ["read", "write", "bash", "grep", "glob", "task", "edit"] as const;

export type ActionType = (typeof actionTypes)[number];

/** One tool call of the agent. A tool outside the known types keeps its name and has no type. */
export interface Action {
  timestamp: string;
  iteration: number;
  type?: ActionType;
  tool: string;
  params: Record<string, unknown>;
  success: boolean;
  output?: string;
  error?: string;
  reasoning?: string;
  expected_outcome?: string;
}

export interface Milestone {
  timestamp: string;
  event: string;
  details?: string;
}

export function isActionType(word: string): word is ActionType {
  return (actionTypes as readonly string[]).includes(word);
}
