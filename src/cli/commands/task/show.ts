import { defineCommand } from "../../framework/command.js";
import { renderTask } from "../../output/lists/tasks.js";
import { renderJson } from "../../output/terminal/json.js";

export const showTaskCommand = defineCommand({
  summary: "show a task and how its attempts ended",
  description: '"ralph history" shows it with all that happened.',
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {},
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph task show task-001", "ralph task show task-001 --json"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const history = await (await openMemory()).tasks.history(id);
    const { attempts, reflections: _reflections, ...task } = history;
    const ends = attempts.map(({ id: attempt, started, ended, outcome }) => ({
      attempt_id: attempt,
      ...{ started, ended, outcome },
    }));
    if (format === "json") terminal.out(renderJson({ ...task, attempts: ends }));
    else terminal.out(renderTask(history, terminal));
    return 0;
  },
});
