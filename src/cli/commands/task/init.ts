import { defineCommand } from "../../framework/command.js";
import { taskTagOption } from "../../options/task-options.js";
import { renderJson } from "../../output/terminal/json.js";

export const initTaskCommand = defineCommand({
  summary: "create a task",
  description: "The first of the commands for runners other than ralph run: init, start, log, complete.",
  arguments: [{ name: "description", summary: "what to do" }],
  options: {
    criteria: { kind: "text", placeholder: "TEXT", summary: "completion criteria" },
    tag: { ...taskTagOption, summary: "task tags, comma-separated" },
    agent: { kind: "text", placeholder: "NAME", summary: "agent that works on it" },
    phase: { kind: "text", placeholder: "NAME", summary: "project phase" },
    related: { kind: "list", placeholder: "TASKS", summary: "related tasks, comma-separated" },
    constraint: {
      kind: "texts",
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
