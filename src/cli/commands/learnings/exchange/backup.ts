import { RalphError } from "../../../../domain/ralph-error.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { renderJson } from "../../../output/terminal/json.js";

export const backupCommand = defineCommand({
  summary: "back up all learnings",
  description:
    "These backups are kept until you delete them. Commands that change many learnings at once also make an automatic\n" +
    "backup first; the newest five of those are kept.",
  arguments: [],
  options: {},
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings backup"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const { totalSize: learnings } = await memory.learnings.stats();
    if (learnings === 0) {
      throw new RalphError("not-found", "No learnings to back up", {
        hint: '"ralph learnings extract" extracts some from a task',
      });
    }
    const path = await memory.learnings.backUp();
    if (format === "json") terminal.out(renderJson({ path, learnings }));
    else
      terminal.out(
        format === "quiet" ? `${path}\n` : `Backed up ${counted(learnings, "learning")} to ${path}\n`,
      );
    return 0;
  },
});
