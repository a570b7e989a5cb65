import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const initTaskCommand = defineCommand({
  summary: "record a new task",
  description: "The first of the verbs with which any runner can keep a record: init, start, log, complete.",
  arguments: [{ name: "description", summary: "what is to be done" }],
  options: {
    criteria: { kind: "text", placeholder: "TEXT", summary: "how one can tell that it is done" },
    tag: { kind: "list", placeholder: "TAG", summary: "words to find it by; may be given several times" },
    agent: { kind: "text", placeholder: "NAME", summary: "the agent that works on it" },
    phase: { kind: "text", placeholder: "NAME", summary: "the phase of the project it belongs to" },
    related: { kind: "list", placeholder: "TASK", summary: "a task that it follows from or belongs to" },
    constraint: {
      kind: "list",
      placeholder: "TEXT",
      summary: "what must be kept; may be given several times",
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
    else terminal.out(format === "quiet" ? `${task.id}\n` : `Task recorded: ${task.id}\n`);
    return 0;
  },
});
