import { uuidFrom } from "../sha256.js";

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

/**
 * Numbers from here on are provisional: a task started while the team's server was away gets its number on delivery. Until then it is known
 * by the start of its UUID, which continues to find it afterwards.
 */
export const firstProvisional = 10 ** 12;

/** `task-007`, or `task-local-1f0c9a2b` for a provisional number. */
export function taskIdOf(number: number): string {
  if (number < firstProvisional) return `task-${String(number).padStart(3, "0")}`;
  return `task-local-${(number - firstProvisional).toString(16).padStart(8, "0")}`;
}

/** The number in an id; `task-7` means `task-007`. */
export function numberOfTaskId(id: string): number | undefined {
  const [, digits, start] = /^task-(?:(\d{1,12})|local-([0-9a-f]{8}))$/.exec(id) ?? [];
  if (start !== undefined) return firstProvisional + Number.parseInt(start, 16);
  return digits === undefined ? undefined : Number(digits);
}

export function provisionalNumber(uuid: string): number {
  return firstProvisional + Number.parseInt(uuid.slice(0, 8), 16);
}

/** The start of the task's UUID if the id is provisional. */
export function uuidStartOf(taskId: string): string | undefined {
  return (numberOfTaskId(taskId) ?? 0) < firstProvisional ? undefined : taskId.slice("task-local-".length);
}

/** The UUID of the first task of an agent's session, or of a later one in the same session. */
export function sessionTaskUuid(agent: string, sessionId: string, index = 0): string {
  return uuidFrom(`session ${agent} ${sessionId} ${index}`);
}

/** The tag of a task that is an agent's session and was judged by nobody. */
export const sessionTag = "session";
