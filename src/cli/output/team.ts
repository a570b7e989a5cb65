import type { TeamStore } from "../../memory/team/team-verbs.js";
import { counted } from "../../text/counted.js";

/** "2 tasks and 3 records". */
export function amountOf(tasks: number, records: number): string {
  const parts = [
    ...(tasks > 0 ? [counted(tasks, "task")] : []),
    ...(records > 0 || tasks === 0 ? [counted(records, "record")] : []),
  ];
  return parts.join(" and ");
}

/** What waits for a team's server; undefined if nothing does. */
export function waitingFor({ waiting, waiting_tasks: tasks }: TeamStore): string | undefined {
  return waiting + tasks.length === 0 ? undefined : amountOf(tasks.length, waiting);
}
