import { RalphError } from "../../../../domain/ralph-error.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { renderJson } from "../../../output/terminal/json.js";

export const backupCommand = defineCommand({
  summary: "write every learning to a backup of its own",
  description:
    "Backups of this kind stay until you delete them. Before anything that changes many learnings at once another kind is\n" +
    "made by itself; of those the newest five are kept.",
  arguments: [],
  options: {},
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings backup"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const { totalSize: learnings } = await memory.learnings.stats();
    if (learnings === 0) {
      throw new RalphError("not-found", "There are no learnings to back up", {
        hint: '"ralph learnings extract" finds some in a task',
      });
    }
    const path = await memory.learnings.backUp();
    if (format === "json") terminal.out(renderJson({ path, learnings }));
    else terminal.out(format === "quiet" ? `${path}\n` : `${counted(learnings, "learning")} in ${path}\n`);
    return 0;
  },
});
