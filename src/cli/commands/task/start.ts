import type { StartedWithBrief } from "../../../memory/tasks/brief/start-with-brief.js";
import { callingRunner } from "../../../processes/runner.js";
import { defineCommand } from "../../framework/command.js";
import { readContentFile } from "../../input/read-content.js";
import { renderJson } from "../../output/terminal/json.js";

export const startAttemptCommand = defineCommand({
  summary: "start the next attempt of a task",
  description:
    "Prints the lessons of earlier attempts and a plan that starts with them. Only one attempt can run at a time; if the\n" +
    "process that started it is gone, the next start marks it as interrupted.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    plan: {
      kind: "text",
      placeholder: "FILE",
      summary: "file that describes the approach; - for standard input",
    },
    step: { kind: "texts", placeholder: "TEXT", summary: "step of the plan; repeatable" },
    estimate: { kind: "number", placeholder: "N", summary: "how many iterations it may take" },
    agent: { kind: "text", placeholder: "NAME", summary: "agent that works on the attempt" },
    memory: {
      kind: "text",
      short: "m",
      placeholder: "N",
      summary:
        "how many reflections to start with: a number, simple, moderate, complex or maximum [default: 3]",
    },
  },
  formats: ["table", "json"],
  examples: [
    "ralph task start task-001",
    "ralph task start task-001 --plan plan.md --estimate 3 --json",
    'echo "Mock the clock" | ralph task start task-001 --plan -',
  ],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { plan: file } = options;
    const approach = file === undefined ? undefined : readContentFile(file).trim();
    const started = await memory.tasks.start(id, {
      plan: { approach, steps: options.step, estimated_iterations: options.estimate },
      agent: options.agent,
      memory: options.memory,
      runner: callingRunner(),
    });
    if (started.reopened) terminal.talk(`Note: ${started.taskId} was completed; it is open again\n`);
    terminal.out(format === "json" ? renderJson(toJson(started)) : started.planText);
    return 0;
  },
});

/** Uses the published field names. */
function toJson({
  taskId,
  attemptId,
  planText,
  memoryCapacity,
  handoffTexts: _texts,
  ...others
}: StartedWithBrief) {
  return {
    task_id: taskId,
    attempt_id: attemptId,
    plan_text: planText,
    memory_capacity: memoryCapacity,
    ...others,
  };
}
