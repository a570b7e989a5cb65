import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { confirm } from "../../../input/confirm.js";
import { yesOption } from "../../../options/learning-options.js";
import { renderJson } from "../../../output/terminal/json.js";

export const restoreCommand = defineCommand({
  summary: "replace all learnings with a backup",
  description:
    "Without a file, the newest backup with a valid checksum is used; a given file with a wrong checksum is refused. The\n" +
    "current learnings are backed up first.",
  arguments: [{ name: "file", summary: "backup file [default: the newest valid backup]", isOptional: true }],
  options: { yes: yesOption },
  formats: ["table", "json"],
  examples: [
    "ralph learnings restore",
    "ralph learnings restore .ralph/backups/learnings-2026-01-31.json --yes",
  ],
  async run({ arguments: [file], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { totalSize } = await memory.learnings.stats();
    const question = `Replace ${counted(totalSize, "learning")} with ${file ?? "the newest valid backup"}?`;
    if (!options.yes && !(await confirm(question, terminal))) {
      terminal.talk("Nothing was changed\n");
      return 1;
    }
    const restored = await memory.learnings.restore(file);
    if (format === "json") terminal.out(renderJson(restored));
    else terminal.out(`Restored ${counted(restored.learnings, "learning")} from ${restored.path}\n`);
    return 0;
  },
});
