import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const checkpointCommand = defineCommand({
  summary: "record an agent's current state",
  description:
    "Task, files and commit default to those of the current attempt and of Git. Goal and tech stack are kept until you\n" +
    "change them; patterns are added to the existing ones.",
  arguments: [{ name: "agent", summary: "agent name, such as eng-001-backend" }],
  options: {
    task: { kind: "text", placeholder: "ID", summary: "the task it works on" },
    goal: { kind: "text", placeholder: "TEXT", summary: "the current goal" },
    tech: { kind: "list", placeholder: "WORDS", summary: "tech stack, comma-separated" },
    pattern: { kind: "list", placeholder: "IDS", summary: "ids of records it learned from, comma-separated" },
    file: { kind: "list", placeholder: "FILES", summary: "files it changed, comma-separated" },
  },
  formats: ["table", "json"],
  examples: [
    "ralph ledger checkpoint eng-001-backend",
    'ralph ledger checkpoint eng-001-backend --goal "Implement CRUD for todos" --tech express,typescript --json',
  ],
  async run({ arguments: [agent = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const ledger = await memory.working.checkpoint(agent, {
      taskId: options.task,
      goal: options.goal,
      techStack: options.tech,
      patterns: options.pattern,
      files: options.file,
    });
    if (format === "json") terminal.out(renderJson(ledger));
    else terminal.out(`Checkpoint saved for ${ledger.agent_id}: ${ledger.current_task ?? "no task"}\n`);
    return 0;
  },
});
