import { findResumable, prepareResume } from "../../../loop/start/find-resumable.js";
import { checkVerification, findAgent } from "../../../loop/start/prepare-run.js";
import { refuseUntrusted, trustedOptions } from "../../../loop/start/refuse-untrusted.js";
import { storedCommands } from "../../../memory/trust/stored-commands.js";
import { defineCommand } from "../../framework/command.js";
import { askForTrust } from "./ask-for-trust.js";
import { readVolume, runOnTerminal, volumeOptions } from "./run-on-terminal.js";

export const resumeCommand = defineCommand({
  summary: "resume a run that was interrupted or did not succeed",
  description:
    "Continues after the last recorded iteration, with the run's original options. An agent that survived a crash is stopped\n" +
    "first; if that is not safe, the error says how to stop it. A run whose process is gone, or that has given no sign of life\n" +
    "for a minute, is taken over, also from another host or container; --force does not wait for that. A run that was taken\n" +
    "over stops by itself and records nothing more.",
  arguments: [{ name: "task", summary: "task id [default: the task of the last run]", isOptional: true }],
  options: {
    force: { kind: "flag", summary: "take over a task that another process still holds" },
    ...volumeOptions,
  },
  formats: ["table", "json"],
  examples: ["ralph resume", "ralph resume task-007", "ralph resume --force task-007"],
  async run(invocation) {
    const { environment, openMemory } = invocation;
    const { force } = invocation.options;
    const volume = readVolume(invocation.options);
    const resumable = await findResumable(await openMemory(), invocation.arguments[0], { force });
    const { task, run } = resumable;
    const overrides = { ...(run.options.isAutoScaled && { "memory_config.auto_scaling.enabled": true }) };
    const memory = await openMemory({ overrides });
    await askForTrust(
      memory,
      invocation,
      ({ kind, name }) => kind !== "stored-command" || name === storedCommands(run).name,
    );
    const loaded = await memory.settings();
    const { settings } = loaded;
    refuseUntrusted(loaded, { agent: run.options.agent, isVerifiedBySettings: false });
    const options = await trustedOptions(memory, run, settings);
    const place = { root: memory.project.root, environment };
    const agent = findAgent(run.options.agent, settings, place);
    await checkVerification(run.options.verify, place);
    const resumed = await prepareResume(memory, resumable, settings["run.kill_grace_seconds"] * 1000, {
      force,
    });
    return runOnTerminal(invocation, memory, { task, settings, agent, options, resumed }, volume);
  },
});
