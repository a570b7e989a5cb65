import { type TaskStatus, taskStatuses } from "../../../domain/tasks/task.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";

export const searchTasksCommand = defineCommand({
  summary: "search past tasks",
  description:
    "Searches descriptions, reflections, errors and outcomes, best match first. To search notes, use\n" +
    '"ralph memory search".',
  arguments: [{ name: "query", summary: "a question, an error message, a file name or any words" }],
  options: {
    status: {
      kind: "list",
      placeholder: "STATUS",
      summary: "only tasks with one of these statuses",
      values: taskStatuses,
    },
    tag: { kind: "list", placeholder: "TAG", summary: "only tasks with one of these tags" },
    agent: { kind: "text", placeholder: "NAME", summary: "only tasks by this agent" },
    limit: {
      kind: "number",
      short: "n",
      placeholder: "N",
      summary: "maximum number of results [default: 10]",
    },
    archived: { kind: "flag", summary: "include archived tasks" },
  },
  formats: ["table", "json"],
  examples: ['ralph search "login test fails with a timeout"', "ralph search TS2322 --status failed --json"],
  async run({ arguments: [text = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const found = await memory.tasks.search({
      text,
      statuses: options.status as TaskStatus[] | undefined,
      tags: options.tag,
      agent: options.agent,
      limit: options.limit,
      includesArchived: options.archived,
    });
    const rows = found.map(({ id, status, description, excerpt }) => [
      id,
      status,
      description,
      excerpt.from === "description" ? "" : `${excerpt.from}: ${excerpt.text}`,
    ]);
    if (format === "json") terminal.out(renderJson(found));
    else if (rows.length === 0) terminal.talk("No matching tasks\n");
    else terminal.out(renderTable(["ID", "STATUS", "DESCRIPTION", "MATCH"], rows, terminal));
    return 0;
  },
});
