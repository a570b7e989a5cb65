import type { TeamStore } from "../../memory/team/team.js";
import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { renderJson } from "../output/terminal/style.js";

export const syncCommand = defineCommand({
  summary: "deliver queued records to a team's store",
  description:
    "While the server of a team's store (setting store.url) cannot be reached, new tasks, actions and results are queued on\n" +
    "this machine. Every command that can connect delivers them first, in order and each once; this one does nothing else.\n" +
    "A task of a run that is still active is delivered when the run has ended.",
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
          ? `Nothing is queued for ${address}\n`
          : `Delivered ${amountOf(tasks, delivered)} to ${address}${rest === undefined ? "" : `, ${rest} still waiting`}\n`,
      );
    }
  },
});

/** "2 tasks and 3 records". */
export function amountOf(tasks: number, records: number): string {
  const parts = [
    ...(tasks > 0 ? [counted(tasks, "task")] : []),
    ...(records > 0 || tasks === 0 ? [counted(records, "record")] : []),
  ];
  return parts.join(" and ");
}

/** What waits for a team's server; undefined if nothing does. */
export function waitingFor({ waiting, waiting_tasks: tasks }: TeamStore): string | undefined {
  return waiting + tasks.length === 0 ? undefined : amountOf(tasks.length, waiting);
}
