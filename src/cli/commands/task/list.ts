import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOption, untilOption } from "../../options/list-options.js";
import { taskFilterOf, taskFilterOptions } from "../../options/task-options.js";
import { cutList } from "../../output/lists/cut-list.js";
import { showTasks } from "../../output/lists/tasks.js";

export const listTasksCommand = defineCommand({
  summary: "list tasks, newest first",
  description: '"ralph history" shows the same list, and exports it.',
  arguments: [],
  options: {
    ...taskFilterOptions,
    since: { ...sinceOption, summary: "only tasks updated since then: 24h, 30d or 2026-01-31" },
    until: untilOption,
    limit: limitOption,
    all: allOption,
    archived: { kind: "flag", summary: "include archived tasks" },
  },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    "ralph task list",
    "ralph task list --status failed,paused -n 5",
    "ralph task list --since 7d --json",
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const filter = { ...taskFilterOf(options), includesArchived: options.archived };
    const { items, tell } = await cutList(
      limitOf(options),
      (limit) => memory.tasks.list({ ...filter, limit }),
      { terminal, format },
    );
    if (format === "quiet") terminal.out(items.map(({ id }) => `${id}\n`).join(""));
    else showTasks(items, format === "json", terminal);
    tell();
    return 0;
  },
});
