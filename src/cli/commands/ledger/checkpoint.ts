import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const checkpointCommand = defineCommand({
  summary: "record where an agent stands",
  description:
    "What is not said is read from the attempt under way and from Git: task, files and commit. Goal and tech stack stay\n" +
    "until others are given; patterns are added to those it has.",
  arguments: [{ name: "agent", summary: "its name, such as eng-001-backend" }],
  options: {
    task: { kind: "text", placeholder: "ID", summary: "the task it works on" },
    goal: { kind: "text", placeholder: "TEXT", summary: "what it is about to reach" },
    tech: { kind: "list", placeholder: "WORDS", summary: "what it works with, with commas between them" },
    pattern: { kind: "list", placeholder: "IDS", summary: "records it has learned from" },
    file: { kind: "list", placeholder: "FILES", summary: "files it has changed" },
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
    else terminal.out(`Checkpoint of ${ledger.agent_id}: ${ledger.current_task ?? "no task"}\n`);
    return 0;
  },
});
