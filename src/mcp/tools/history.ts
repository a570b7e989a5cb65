import { pickAttempt } from "../../domain/tasks/attempt.js";
import { taskStatuses } from "../../domain/tasks/task.js";
import { fencedLines } from "../as-data.js";
import { describeActions, describeHistory, describeTask } from "../describe-tasks.js";
import { takeOnly } from "./check-arguments.js";
import { defineTool } from "./tool.js";

const defaultLimit = 20;

export const historyTool = defineTool({
  name: "history",
  description: "Lists past tasks, newest first; or the attempts, errors and reflections of one task.",
  arguments: {
    task: { type: "string", description: "such as task-007" },
    attempt: { type: "integer", minimum: 1, description: "its actions, too" },
    status: { type: "string", enum: taskStatuses },
    limit: { type: "integer", minimum: 1, maximum: 200, description: "default 20" },
  },
  required: [],
  effect: "reads",
  isIdempotent: true,
  whereIdsAre: "history without arguments lists the ids of tasks",
  async run(memory, given) {
    const { task, attempt, status, limit = defaultLimit } = given;
    if (task === undefined) {
      takeOnly(["status", "limit"], given, "history without task");
      const tasks = (await memory.tasks.list({ ...(status && { statuses: [status] }), limit })).map(
        describeTask,
      );
      return {
        text:
          tasks.length === 0
            ? noTasks(status)
            : fencedLines(
                "Past tasks.",
                tasks.map(({ text }) => text),
              ),
        value: { tasks: tasks.map(({ value }) => value) },
      };
    }
    // A limit does no harm, and many models send one with every call.
    takeOnly(["task", "attempt", "limit"], given, "history with task");
    const history = await memory.tasks.history(task, { isFull: attempt !== undefined });
    const described = describeHistory(history);
    if (attempt === undefined)
      return { text: fencedLines(`The record of ${history.id}.`, described.lines), value: described.value };
    const { actions } = pickAttempt(history, history.attempts, attempt);
    const done = describeActions(actions);
    return {
      text: fencedLines(`The record of ${history.id}.`, [
        ...described.lines,
        `Actions of attempt ${attempt}`,
        ...done.lines,
      ]),
      value: { ...described.value, actions: done.values, actions_in_all: actions.length },
    };
  },
});

function noTasks(status: string | undefined): string {
  return status === undefined ? "No tasks yet" : `No ${status} tasks`;
}
