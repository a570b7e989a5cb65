import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const syncCommand = defineCommand({
  summary: "deliver what waits for a team's store",
  description:
    "While the server of a team's store (setting store.url) cannot be reached, actions and results wait on this machine. Every\n" +
    "command that reaches the server delivers them first, in order and each once; this one does nothing else.",
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
      const { delivered, waiting, address } = synced;
      const rest = waiting === 0 ? "" : `, ${waiting} still waiting`;
      terminal.out(
        delivered === 0 && waiting === 0
          ? `Nothing waits for ${address}\n`
          : `Delivered ${counted(delivered, "record")} to ${address}${rest}\n`,
      );
    }
    return 0;
  },
});
