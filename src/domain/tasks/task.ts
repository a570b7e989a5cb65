export const taskStatuses = ["running", "paused", "completed", "failed"] as const;

export type TaskStatus = (typeof taskStatuses)[number];

/** One objective with completion criteria. Field names follow the published schema, here and in JSON. */
export interface Task {
  /** `task-001`, counting up. */
  id: string;
  uuid: string;
  description: string;
  completion_criteria?: string;
  created: string;
  updated: string;
  completed?: string;
  status: TaskStatus;
  /** 0 before the first attempt. */
  current_attempt: number;
  total_attempts: number;
  tags: string[];
  related_tasks: string[];
  agent?: string;
  phase?: string;
  constraints: string[];
  /** Who asked for it: a person's or an agent's name. */
  made_by?: string;
  /** When it was archived; archived tasks are hidden by default. */
  archived?: string;
}

export function taskIdOf(number: number): string {
  return `task-${String(number).padStart(3, "0")}`;
}

/** The number in an id; `task-7` means `task-007`. */
export function numberOfTaskId(id: string): number | undefined {
  const digits = /^task-(\d{1,12})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
