import { findResumable, takeUp } from "../../../loop/start/find-resumable.js";
import { checkVerification, findAgent } from "../../../loop/start/prepare-run.js";
import { defineCommand } from "../../framework/command.js";
import { drive } from "./drive.js";

export const resumeCommand = defineCommand({
  summary: "go on with a run that was interrupted or ended without success",
  description:
    "Continues from the last recorded iteration, with the options that the run was started with. An agent that was left behind\n" +
    "by a crash is ended first; where that is not safe, you are told how to end it.",
  arguments: [{ name: "task", summary: "its id; the last run by default", isOptional: true }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph resume", "ralph resume task-007"],
  async run(invocation) {
    const { environment, openMemory } = invocation;
    const resumable = await findResumable(await openMemory(), invocation.arguments[0]);
    const { task, run } = resumable;
    const overrides = { ...(run.options.isAutoScaled && { "memory_config.auto_scaling.enabled": true }) };
    const memory = await openMemory({ overrides });
    const { settings } = await memory.settings();
    const place = { root: memory.project.root, environment };
    const agent = findAgent(run.options.agent, settings, place);
    await checkVerification(run.options.verify, place);
    const resumed = await takeUp(memory, resumable, settings["run.kill_grace_seconds"] * 1000);
    return drive(invocation, memory, { task, settings, agent, options: run.options, resumed });
  },
});
