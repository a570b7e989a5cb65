import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

const task = { name: "task", summary: "task id, such as task-001" };

export const pauseCommand = defineCommand({
  summary: "pause a running task",
  arguments: [task],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph task pause task-001"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const paused = await (await openMemory()).tasks.pause(id);
    terminal.out(format === "json" ? renderJson(paused) : `${paused.id} is paused\n`);
    return 0;
  },
});

export const continueCommand = defineCommand({
  summary: "continue a paused task",
  arguments: [task],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph task continue task-001"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const running = await (await openMemory()).tasks.continue(id);
    terminal.out(format === "json" ? renderJson(running) : `${running.id} is running\n`);
    return 0;
  },
});
