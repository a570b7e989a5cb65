import { RalphError } from "../../../domain/ralph-error.js";
import { makeWorktree, removeWorktree, type Worktree } from "../../../loop/start/make-worktree.js";
import { prepareRun, type RunRequest } from "../../../loop/start/prepare-run.js";
import type { Memory } from "../../../memory/memory.js";
import { runsOf } from "../../../memory/runs/runs.js";
import { awayMemory, memoryForNew, memoryOfTask } from "../../../memory/team/task-place.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import { flag, list, number, readShare, text, texts } from "../../framework/options.js";
import { readContent, readContentFile } from "../../input/read-content.js";
import { askForTrust, patienceOfRunMs, readVolume, runOnTerminal, volumeOptions } from "./run-on-terminal.js";

export const runCommand = defineCommand({
  summary: "run an agent in a loop until the task is verified",
  description:
    "Starts the agent repeatedly, each time with a fresh context and relevant memories, until every --verify command\n" +
    "succeeds or, without --verify, until the agent says it is done. Ralph learns from each attempt. Exit codes: 0 completed,\n" +
    "1 failed or stalled, 2 limit reached, 130 interrupted. --allow-all lets the agent do anything without asking: use it\n" +
    "only in a container or wherever nothing can be lost. A working tree is for one run at a time: --worktree makes another\n" +
    "one, named after the objective, and the run ends with the commands that merge or remove it.",
  arguments: [
    { name: "objective", summary: 'what to do; "-" reads it from standard input', isOptional: true },
  ],
  options: {
    file: text("FILE", "read the objective from a file", { short: "f" }),
    verify: texts("CMD", "command that must succeed; repeatable [default: run.verify]"),
    criteria: text("TEXT", "completion criteria, in words"),
    agent: text("NAME", "claude, codex, gemini, opencode, or an agent from ralph.yml"),
    "max-iterations": number("N", "maximum iterations per attempt [default: 10]"),
    attempts: number("N", "maximum attempts [default: 1]"),
    timeout: text("TIME", "time limit for the run, such as 90s, 30m or 1h30m [default: 2h]"),
    "iteration-timeout": text("TIME", "time limit for one iteration of the agent [default: 30m]"),
    "max-cost": text("USD", "cost limit, for agents that report cost"),
    memory: text(
      "N",
      "how many reflections to use: a number, simple, moderate, complex or maximum [default: 3]",
      { short: "m" },
    ),
    "cross-task": flag("learn from similar tasks, overriding the setting"),
    "no-cross-task": flag("leave out what was learned from other tasks"),
    "auto-scale": flag("use more reflections after failures, fewer after successes"),
    holdout: text("P", "probability of being a control task, from 0 to 1"),
    "allow-all": flag("let the agent do anything without asking"),
    tag: list("TAG", "task tags, comma-separated"),
    worktree: flag("work in a new Git worktree beside the project, on a branch of its own"),
    force: flag("run even if another run works in this working tree"),
    ...volumeOptions,
  },
  examples: [
    `ralph run "Fix the failing login test" --verify "npm test"`,
    `ralph run "Add pagination to /users" --verify "npm test" --verify "npm run lint" --attempts 2 --memory complex`,
    `ralph run "Update the dependencies" --verify "npm test" --worktree`,
    "ralph run --file task.md --agent codex --timeout 1h --json",
  ],
  async run(invocation) {
    const { options, environment, openMemory } = invocation;
    if (options["cross-task"] && options["no-cross-task"])
      throw wrongUse("--cross-task and --no-cross-task cannot be combined");
    const volume = readVolume(options);
    const description = readObjective(invocation.arguments[0], options.file);
    const overrides = {
      ...(options["auto-scale"] && { "memory_config.auto_scaling.enabled": true }),
      ...(options.holdout !== undefined && {
        "recall.holdout": readShare("holdout", options.holdout) ?? 0,
      }),
    };
    const memory = await openMemory({ overrides, patienceMs: patienceOfRunMs });
    await askForTrust(memory, invocation, ({ kind }) => kind !== "stored-command");
    const request: RunRequest = {
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
    };
    const prepared = await prepareRun(request, memory, environment);
    const isAlone = !options.worktree && !options.force;
    const recording = await memoryForNew(memory, async (asked) =>
      isAlone ? runsOf(asked).checkFolder(memory.project.root) : runsOf(asked).findLast(),
    );
    const { place, ...run } = options.worktree
      ? await prepareInWorktree(memory, description, async ({ folder, branch }) => {
          const there = await openMemory({ overrides, patienceMs: patienceOfRunMs, root: folder });
          const isAway = recording !== memory;
          const prepared = await prepareRun({ ...request, branch }, there, environment);
          return { place: isAway ? awayMemory(there) : there, ...prepared };
        })
      : { place: recording, ...prepared };
    const task = await place.tasks.init({
      description,
      completion_criteria: options.criteria,
      tags: options.tag,
      agent: run.agent.name,
    });
    const { memory: held } = await memoryOfTask(place, task.id);
    const status = await runOnTerminal(invocation, held, { task, ...run, isForced: options.force }, volume);
    // The server may be back by now; else the next command delivers what was recorded here.
    if (held !== memory) await memory.team.sync().catch(() => undefined);
    return status;
  },
});

/** Makes a worktree for the run, and takes it back if the run cannot begin in it. */
async function prepareInWorktree<Prepared>(
  { project }: Memory,
  objective: string,
  prepare: (worktree: Worktree) => Promise<Prepared>,
): Promise<Prepared & { worktree: Worktree }> {
  const worktree = await makeWorktree(project, objective);
  try {
    return { ...(await prepare(worktree)), worktree };
  } catch (error) {
    await removeWorktree(project.root, worktree);
    throw aboutWorktree(error);
  }
}

function aboutWorktree(error: unknown): unknown {
  if (!(error instanceof RalphError)) return error;
  const { code, message, hint } = error;
  return new RalphError(code, `In a new worktree, which has only what is committed: ${message}`, {
    ...(hint !== undefined && { hint }),
    cause: error,
  });
}

function readObjective(argument: string | undefined, file: string | undefined): string {
  if (argument !== undefined && file !== undefined)
    throw wrongUse("The objective is given twice", "use either the argument or --file");
  const text = file === undefined ? readContent(argument ?? "") : readContentFile(file);
  if (text.trim() !== "") return text.trim();
  throw wrongUse("Missing objective", 'for example: ralph run "Fix the login test" --verify "npm test"');
}
