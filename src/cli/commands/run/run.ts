import { readFileSync } from "node:fs";
import { RalphError } from "../../../domain/ralph-error.js";
import { withFileErrors } from "../../../files/file-problem.js";
import { prepareRun } from "../../../loop/start/prepare-run.js";
import { defineCommand } from "../../framework/command.js";
import { readContent } from "../../input/read-content.js";
import { readShare } from "../../input/read-share.js";
import { drive } from "./drive.js";

export const runCommand = defineCommand({
  summary: "run an agent until the task is verified, and learn on the way",
  description:
    "Starts the agent again and again, each time with a fresh context and what is remembered, until every --verify command\n" +
    "succeeds; without one, until the agent says that it is done. Ends with 0 when completed, 1 when failed or stalled, 2 when a\n" +
    "limit was reached, 130 when interrupted. --allow-all lets the agent do everything without asking: use it only where nothing\n" +
    "can be lost, such as in a container.",
  arguments: [
    { name: "objective", summary: "what is to be done; - reads it from standard input", isOptional: true },
  ],
  options: {
    file: { kind: "text", short: "f", placeholder: "FILE", summary: "read the objective from a file" },
    verify: {
      kind: "texts",
      placeholder: "CMD",
      summary: "a command that must succeed; may be given several times [default: run.verify]",
    },
    criteria: { kind: "text", placeholder: "TEXT", summary: "when it is done, in words" },
    agent: {
      kind: "text",
      placeholder: "NAME",
      summary: "claude, codex, gemini, opencode, or one of ralph.yml",
    },
    "max-iterations": {
      kind: "number",
      placeholder: "N",
      summary: "most iterations of one attempt [default: 10]",
    },
    attempts: { kind: "number", placeholder: "N", summary: "most attempts [default: 1]" },
    timeout: {
      kind: "text",
      placeholder: "TIME",
      summary: "how long it may take in all, such as 90s, 30m or 1h30m [default: 2h]",
    },
    "iteration-timeout": {
      kind: "text",
      placeholder: "TIME",
      summary: "how long the agent may take in one iteration [default: 30m]",
    },
    "max-cost": { kind: "text", placeholder: "USD", summary: "how much it may cost, where the agent tells" },
    memory: {
      kind: "text",
      short: "m",
      placeholder: "N",
      summary: "how many reflections to keep in context, or simple, moderate, complex, maximum [default: 3]",
    },
    "cross-task": { kind: "flag", summary: "learn from similar tasks, whatever is set" },
    "no-cross-task": { kind: "flag", summary: "leave out what other tasks taught" },
    "auto-scale": {
      kind: "flag",
      summary: "widen the window of reflections on failures, narrow it on success",
    },
    holdout: { kind: "text", placeholder: "P", summary: "how likely this is a control task, from 0 to 1" },
    "allow-all": { kind: "flag", summary: "let the agent do everything without asking" },
    tag: { kind: "list", placeholder: "TAG", summary: "tags of the task, with commas between them" },
  },
  formats: ["table", "json"],
  examples: [
    `ralph run "Fix the failing login test" --verify "npm test"`,
    `ralph run "Add pagination to /users" --verify "npm test" --verify "npm run lint" --attempts 2 --memory complex`,
    "ralph run --file task.md --agent codex --timeout 1h --json",
  ],
  async run(invocation) {
    const { options, environment, openMemory } = invocation;
    if (options["cross-task"] && options["no-cross-task"])
      throw new RalphError("wrong-use", "--cross-task and --no-cross-task cannot both be given");
    const description = readObjective(invocation.arguments[0], options.file);
    const memory = await openMemory({
      overrides: {
        ...(options["auto-scale"] && { "memory_config.auto_scaling.enabled": true }),
        ...(options.holdout !== undefined && {
          "recall.holdout": readShare("holdout", options.holdout) ?? 0,
        }),
      },
    });
    const prepared = await prepareRun(
      {
        verify: options.verify,
        agent: options.agent,
        isAllAllowed: options["allow-all"],
        maxIterations: options["max-iterations"],
        attempts: options.attempts,
        timeout: options.timeout,
        iterationTimeout: options["iteration-timeout"],
        maxCostUsd: options["max-cost"],
        memory: options.memory,
        isAutoScaled: options["auto-scale"],
        isCrossTask: options["no-cross-task"] ? false : options["cross-task"] ? true : undefined,
      },
      memory,
      environment,
    );
    const task = await memory.tasks.init({
      description,
      completion_criteria: options.criteria,
      tags: options.tag,
      agent: prepared.agent.name,
    });
    return drive(invocation, memory, { task, ...prepared });
  },
});

function readObjective(argument: string | undefined, file: string | undefined): string {
  if (argument !== undefined && file !== undefined)
    throw new RalphError("wrong-use", "The objective is given twice", {
      hint: "as an argument or with --file",
    });
  const text =
    file === undefined ? readContent(argument ?? "") : withFileErrors(file, () => readFileSync(file, "utf8"));
  if (text.trim() !== "") return text.trim();
  throw new RalphError("wrong-use", "A run needs an objective", {
    hint: 'such as ralph run "Fix the login test" --verify "npm test"',
  });
}
