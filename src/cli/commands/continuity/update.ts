import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const updateContinuityCommand = defineCommand({
  summary: "refresh the continuity file",
  description:
    "Ralph only rewrites the part between <!-- ralph:begin --> and <!-- ralph:end -->: the current task, the ids of relevant\n" +
    "memories, and mistakes to avoid. The rest of the file is left untouched.",
  arguments: [],
  options: {
    task: { kind: "text", placeholder: "ID", summary: "task to show [default: the current task]" },
    note: {
      kind: "text",
      placeholder: "TEXT",
      summary: "what you are doing now; kept until the next update",
    },
  },
  formats: ["table", "json"],
  examples: [
    "ralph continuity update",
    'ralph continuity update --task task-001 --note "writing the migration"',
  ],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { path, isChanged, taskId } = await memory.working.updateContinuity({
      taskId: options.task,
      note: options.note,
    });
    const result = { path, changed: isChanged, ...(taskId && { task_id: taskId }) };
    if (format === "json") terminal.out(renderJson(result));
    else terminal.out(`${isChanged ? "Updated" : "Already up to date"}: ${path}\n`);
    return 0;
  },
});
