import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const initTaskCommand = defineCommand({
  summary: "create a task",
  description: "The first of the commands for runners other than ralph run: init, start, log, complete.",
  arguments: [{ name: "description", summary: "what to do" }],
  options: {
    criteria: { kind: "text", placeholder: "TEXT", summary: "completion criteria" },
    tag: { kind: "list", placeholder: "TAG", summary: "task tag; repeatable" },
    agent: { kind: "text", placeholder: "NAME", summary: "agent that works on it" },
    phase: { kind: "text", placeholder: "NAME", summary: "project phase" },
    related: { kind: "list", placeholder: "TASK", summary: "related task; repeatable" },
    constraint: {
      kind: "list",
      placeholder: "TEXT",
      summary: "constraint to respect; repeatable",
    },
  },
  formats: ["table", "json", "quiet"],
  examples: ['ralph task init "Fix the login test" --criteria "npm test passes" --tag auth --json'],
  async run({ arguments: [description = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const task = await memory.tasks.init({
      description,
      completion_criteria: options.criteria,
      tags: options.tag,
      agent: options.agent,
      phase: options.phase,
      constraints: options.constraint,
      related_tasks: options.related,
    });
    if (format === "json") terminal.out(renderJson({ task_id: task.id }));
    else terminal.out(format === "quiet" ? `${task.id}\n` : `Task created: ${task.id}\n`);
    return 0;
  },
});
