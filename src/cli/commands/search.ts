import { defineCommand, wrongUse } from "../framework/command.js";
import { allOption, flag, limitOption } from "../framework/options.js";
import { printList } from "../framework/print.js";
import { listedObjective, taskFilterOf, taskFilterOptions } from "../output/tasks.js";
import { renderTable } from "../output/terminal/table.js";

export const searchTasksCommand = defineCommand({
  summary: "search past tasks",
  description:
    "Searches descriptions, reflections, errors and outcomes, best match first. To search notes, use\n" +
    '"ralph memory search"; "ralph recall --error" shows what was learned about an error.',
  arguments: [{ name: "query", summary: "a question, an error message, a file name or any words" }],
  options: {
    ...taskFilterOptions,
    limit: limitOption(10),
    all: allOption,
    archived: flag("include archived tasks"),
  },
  isLong: true,
  examples: ['ralph search "login test fails with a timeout"', "ralph search TS2322 --status failed --json"],
  async run(invocation) {
    const { arguments: words, options, terminal, openMemory } = invocation;
    const [text = ""] = words;
    if (text.trim() === "") throw wrongUse("The query is empty", '"ralph task list" lists all tasks');
    const { tasks } = await openMemory();
    const filter = { ...taskFilterOf(options), includesArchived: options.archived };
    await printList(invocation, {
      find: (limit = -1) => tasks.search({ text, ...filter, limit }),
      fallback: 10,
      table: (found) =>
        renderTable(
          ["ID", { title: "STATUS" }, "DESCRIPTION", { title: "MATCH", isBelow: true }],
          found.map(({ id, status, description, excerpt }) => [
            id,
            status,
            listedObjective(description),
            excerpt.from === "description" ? "" : `${excerpt.from}: ${excerpt.text}`,
          ]),
          terminal,
        ),
      empty: "No matching tasks",
    });
  },
});
