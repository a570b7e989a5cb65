import { type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { OptionSpec } from "../framework/command.js";
import { sinceOf, untilOf } from "./list-options.js";

export const taskTagOption = {
  kind: "list",
  placeholder: "TAGS",
  summary: "only tasks with one of these tags, comma-separated",
  aliases: ["tags"],
} as const satisfies OptionSpec;

export const taskFilterOptions = {
  status: {
    kind: "list",
    placeholder: "STATUS",
    summary: "only tasks with one of these statuses, comma-separated",
    values: taskStatuses,
  },
  tag: taskTagOption,
  agent: { kind: "text", placeholder: "NAME", summary: "only tasks by this agent" },
} as const;

export interface TaskFilterOptions {
  status: string[] | undefined;
  tag: string[] | undefined;
  agent: string | undefined;
  since: string | undefined;
  until: string | undefined;
}

export function taskFilterOf({ status, tag, agent, ...times }: TaskFilterOptions) {
  const since = sinceOf(times);
  const until = untilOf(times);
  return {
    ...(status && { statuses: status as TaskStatus[] }),
    ...(tag && { tags: tag }),
    ...(agent && { agent }),
    ...(since && { since }),
    ...(until && { until }),
  };
}
