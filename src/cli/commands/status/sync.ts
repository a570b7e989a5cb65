import { defineCommand } from "../../framework/command.js";
import { amountOf, waitingFor } from "../../output/team.js";
import { renderJson } from "../../output/terminal/json.js";

export const syncCommand = defineCommand({
  summary: "deliver what waits for a team's store",
  description:
    "While the server of a team's store (setting store.url) cannot be reached, new tasks, actions and results wait on this\n" +
    "machine. Every command that reaches the server delivers them first, in order and each once; this one does nothing else.\n" +
    "A task that a run here is still at work on is delivered when the run has ended.",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph sync"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const synced = await memory.team.sync();
    if (format === "json") terminal.out(renderJson(synced ?? null));
    else if (synced === undefined)
      terminal.talk("The memory is on this machine only: store.url is not set\n");
    else {
      const { delivered, delivered_tasks: tasks, address } = synced;
      const rest = waitingFor(synced);
      terminal.out(
        delivered + tasks === 0 && rest === undefined
          ? `Nothing waits for ${address}\n`
          : `Delivered ${amountOf(tasks, delivered)} to ${address}${rest === undefined ? "" : `, ${rest} still waiting`}\n`,
      );
    }
    return 0;
  },
});
