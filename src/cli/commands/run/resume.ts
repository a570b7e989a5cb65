import type { Settings } from "../../../config/default-settings.js";
import { userHome } from "../../../config/paths.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Run } from "../../../domain/tasks/run.js";
import { findProject } from "../../../files/find-project.js";
import { isFolder } from "../../../files/find-stats.js";
import { type ChooseRun, findResumable, prepareResume } from "../../../loop/start/find-resumable.js";
import {
  checkVerification,
  findAgent,
  refuseUntrusted,
  trustedOptions,
} from "../../../loop/start/prepare-run.js";
import type { Memory } from "../../../memory/memory.js";
import { runsOf } from "../../../memory/runs/runs.js";
import { awayMemory, memoryForNew, memoryOfTask } from "../../../memory/team/task-place.js";
import { storedCommands } from "../../../memory/trust/trust-requests.js";
import { defineCommand, type Invocation, type OptionSpecs } from "../../framework/command.js";
import { flag } from "../../framework/options.js";
import { ask, canPrompt } from "../../input/ask.js";
import { listedObjective } from "../../output/tasks.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { askForTrust, patienceOfRunMs, readVolume, runOnTerminal, volumeOptions } from "./run-on-terminal.js";

export const resumeCommand = defineCommand({
  summary: "resume a run that was interrupted or did not succeed",
  description:
    "Continues after the last recorded iteration, in the same working tree and with the run's original options. An agent that\n" +
    "survived a crash is stopped first; if that is not safe, the error says how to stop it. A run whose process is gone, or\n" +
    "that has given no sign of life for a minute, is taken over, also from another host or container; --force does not wait\n" +
    "for that. A run that was taken over stops by itself and records nothing more.",
  arguments: [
    {
      name: "task",
      summary: "task id [default: the run that is paused; of several, you choose]",
      isOptional: true,
    },
  ],
  options: {
    force: flag("take over a task that another process still holds"),
    ...volumeOptions,
  },
  examples: ["ralph resume", "ralph resume task-007", "ralph resume --force task-007"],
  async run(invocation) {
    const { environment, openMemory, terminal } = invocation;
    const { force } = invocation.options;
    const volume = readVolume(invocation.options);
    const choose = (await canPrompt(terminal)) ? chooseOnTerminal(terminal) : undefined;
    const opened = await openMemory();
    const [given] = invocation.arguments;
    const { memory: found, taskId } = await memoryToResume(opened, given);
    const resumable = await findResumable(found, taskId, { force, choose });
    const { task } = resumable;
    const overrides = {
      ...(resumable.run.options.isAutoScaled && { "memory_config.auto_scaling.enabled": true }),
    };
    const there = await openWhereItRan(invocation, opened, resumable.run, overrides);
    const memory = found === opened ? there : awayMemory(there);
    const { root } = memory.project;
    const run = { ...resumable.run, options: { ...resumable.run.options, folder: root } };
    await askForTrust(
      memory,
      invocation,
      ({ kind, name }) => kind !== "stored-command" || name === storedCommands(run).name,
    );
    const loaded = await memory.settings();
    const { settings } = loaded;
    refuseUntrusted(loaded, { agent: run.options.agent, isVerifiedBySettings: false });
    const options = trustedOptions(memory, run, settings);
    const place = { root, environment };
    const agent = findAgent(run.options.agent, settings, place);
    await checkVerification(run.options.verify, place);
    const graceMs = settings["run.kill_grace_seconds"] * 1000;
    const resumed = await prepareResume(memory, { task, run }, graceMs, { force });
    const status = await runOnTerminal(
      invocation,
      memory,
      { task, settings, agent, options, resumed },
      volume,
    );
    if (memory !== there) await there.team.sync().catch(() => undefined);
    return status;
  },
});

/** What was run on this machine while the team's server was away can be resumed while it still is. */
async function memoryToResume(
  memory: Memory,
  taskId: string | undefined,
): Promise<{ memory: Memory; taskId: string | undefined }> {
  if (taskId !== undefined) return memoryOfTask(memory, taskId);
  return { memory: await memoryForNew(memory, (asked) => runsOf(asked).findLast()), taskId };
}

/** Runs go on in their working tree, if it is still one of this project. */
async function openWhereItRan(
  { openMemory, environment }: Pick<Invocation<OptionSpecs>, "openMemory" | "environment">,
  { project }: Memory,
  { task_id: id, options: { folder, branch } }: Run,
  overrides: Partial<Settings>,
): Promise<Memory> {
  if (folder === undefined || folder === project.root)
    return openMemory({ overrides, patienceMs: patienceOfRunMs });
  if (isFolder(folder)) {
    // Nothing of another project is opened because a record names its folder.
    const there = findProject(folder, { userHome: userHome(environment) });
    if (there.home === project.home && there.root === folder)
      return openMemory({ overrides, patienceMs: patienceOfRunMs, root: folder });
  }
  // The folder of a project may have been moved, or be another one on this machine.
  if (branch === undefined) return openMemory({ overrides, patienceMs: patienceOfRunMs });
  throw new RalphError("not-found", `The worktree of ${id} is gone: ${folder}`, {
    hint: `bring it back with "git worktree add ${folder} ${branch}", or give the run up with "ralph stop ${id} --discard"`,
  });
}

/** Asks which of several runs to resume, by its number or its task. */
function chooseOnTerminal(terminal: Terminal): ChooseRun {
  return async (runs) => {
    const rows = runs.map(({ run, task, state }, index) => [
      `${index + 1}`,
      task.id,
      state,
      `${run.iterations}`,
      listedObjective(task.description),
    ]);
    terminal.talk(renderTable(["", "TASK", "STATE", "ITERATIONS", "OBJECTIVE"], rows, terminal));
    const answer = (await ask(`Resume which one? [1-${runs.length}] `))?.trim() ?? "";
    return runs.find(({ task }, index) => answer === `${index + 1}` || answer === task.id);
  };
}
