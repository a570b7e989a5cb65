import type { Task } from "../../domain/tasks/task.js";
import { clipAtWord } from "../../text/clip-at-word.js";

/** A task in a list. */
export interface TaskRow
  extends Pick<
    Task,
    "id" | "description" | "status" | "created" | "updated" | "total_attempts" | "tags" | "agent" | "archived"
  > {
  /** Where a search found it, unless in the description. */
  excerpt?: { from: string; text: string };
}

const maxText = 240;

export function taskRow({
  id,
  description,
  status,
  created,
  updated,
  total_attempts,
  tags,
  agent,
  archived,
}: Task): TaskRow {
  return {
    ...{ id, status, created, updated, total_attempts, tags },
    description: clipAtWord(description, maxText),
    ...(agent !== undefined && { agent }),
    ...(archived !== undefined && { archived }),
  };
}
