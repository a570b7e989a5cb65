import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const updateContinuityCommand = defineCommand({
  summary: "refresh what the continuity file says",
  description:
    "Ralph owns what stands between <!-- ralph:begin --> and <!-- ralph:end -->: the task under way, relevant memories\n" +
    "by their ids, and mistakes to avoid. Everything else in the file stays byte for byte.",
  arguments: [],
  options: {
    task: { kind: "text", placeholder: "ID", summary: "the task; the one under way by default" },
    note: {
      kind: "text",
      placeholder: "TEXT",
      summary: "what is being done right now, until the next update",
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
