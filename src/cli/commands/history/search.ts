import { RalphError } from "../../../domain/ralph-error.js";
import type { TaskStatus } from "../../../domain/tasks/task.js";
import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOptionOf, sinceOf, sinceOption } from "../../options/list-options.js";
import { taskFilterOptions } from "../../options/task-options.js";
import { cutList } from "../../output/lists/cut-list.js";
import { listedObjective } from "../../output/lists/listed-objective.js";
import { renderJson } from "../../output/terminal/json.js";
import { type Column, renderTable } from "../../output/terminal/table.js";

const defaultLimit = 10;
const columns: (string | Column)[] = [
  "ID",
  { title: "STATUS" },
  "DESCRIPTION",
  { title: "MATCH", isBelow: true },
];

export const searchTasksCommand = defineCommand({
  summary: "search past tasks",
  description:
    "Searches descriptions, reflections, errors and outcomes, best match first. To search notes, use\n" +
    '"ralph memory search"; what was learned about an error is told by "ralph recall --error".',
  arguments: [{ name: "query", summary: "a question, an error message, a file name or any words" }],
  options: {
    ...taskFilterOptions,
    since: { ...sinceOption, summary: "only tasks updated since then: 24h, 30d or 2026-01-31" },
    limit: limitOptionOf(defaultLimit),
    all: allOption,
    archived: { kind: "flag", summary: "include archived tasks" },
  },
  formats: ["table", "json"],
  isLong: true,
  examples: ['ralph search "login test fails with a timeout"', "ralph search TS2322 --status failed --json"],
  async run({ arguments: [text = ""], options, format, terminal, openMemory }) {
    if (text.trim() === "")
      throw new RalphError("wrong-use", "The query is empty", { hint: '"ralph task list" lists all tasks' });
    const memory = await openMemory();
    const since = sinceOf(options);
    const { items: found, tell } = await cutList(
      limitOf(options, defaultLimit),
      (limit = -1) =>
        memory.tasks.search({
          text,
          statuses: options.status as TaskStatus[] | undefined,
          tags: options.tag,
          agent: options.agent,
          since,
          limit,
          includesArchived: options.archived,
        }),
      { terminal, format },
    );
    const rows = found.map(({ id, status, description, excerpt }) => [
      id,
      status,
      listedObjective(description),
      excerpt.from === "description" ? "" : `${excerpt.from}: ${excerpt.text}`,
    ]);
    if (format === "json") terminal.out(renderJson(found));
    else if (rows.length === 0) terminal.talk("No matching tasks\n");
    else terminal.out(renderTable(columns, rows, terminal));
    tell();
    return 0;
  },
});
