import { defineCommand } from "../framework/command.js";
import { text } from "../framework/options.js";

const show = defineCommand({
  summary: "show the continuity file",
  description: 'Printed as is; "ralph continuity update" refreshes it.',
  formats: ["markdown", "json"],
  examples: ["ralph continuity show"],
  async run({ format, terminal, print, openMemory }) {
    const { path, content } = await (await openMemory()).working.showContinuity();
    print({ json: { path, content: content ?? null }, markdown: content ?? "" });
    if (content === undefined && format !== "json")
      terminal.talk('No continuity file yet; create it with "ralph continuity update"\n');
  },
});

const update = defineCommand({
  summary: "refresh the continuity file",
  description:
    "Ralph only rewrites the part between <!-- ralph:begin --> and <!-- ralph:end -->: the current task, the ids of relevant\n" +
    "memories, and mistakes to avoid. The rest of the file is left untouched.",
  options: {
    task: text("ID", "task to show [default: the current task]"),
    note: text("TEXT", "what you are doing now; kept until the next update"),
  },
  examples: [
    "ralph continuity update",
    'ralph continuity update --task task-001 --note "writing the migration"',
  ],
  async run({ options, print, openMemory }) {
    const { working } = await openMemory();
    const { path, isChanged, taskId } = await working.updateContinuity({
      taskId: options.task,
      note: options.note,
    });
    print({
      json: { path, changed: isChanged, ...(taskId && { task_id: taskId }) },
      table: `${isChanged ? "Updated" : "Already up to date"}: ${path}\n`,
    });
  },
});

export const continuityCommands = { show, update };
