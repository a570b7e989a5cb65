import { RalphError } from "../../../../domain/ralph-error.js";
import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { confirm } from "../../../input/confirm.js";
import { yesOption } from "../../../options/learning-options.js";
import { renderJson } from "../../../output/terminal/json.js";

export const restoreCommand = defineCommand({
  summary: "replace all learnings with a backup",
  description:
    "Without a file, the newest backup with a valid checksum is used; a given file with a wrong checksum is refused. The\n" +
    "current learnings are backed up first. With --altered, only learnings that do not match their checksum are restored.",
  arguments: [{ name: "file", summary: "backup file [default: the newest valid backup]", isOptional: true }],
  options: {
    altered: {
      kind: "flag",
      summary: "only learnings that were altered outside Ralph, each from the newest backup that has it",
    },
    yes: yesOption,
  },
  formats: ["table", "json"],
  examples: [
    "ralph learnings restore",
    "ralph learnings restore --altered",
    "ralph learnings restore .ralph/backups/learnings-2026-01-31.json --yes",
  ],
  async run({ arguments: [file], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    if (options.altered) {
      if (file !== undefined)
        throw new RalphError("wrong-use", "--altered looks through all backups; leave out the file");
      const { restored, missing } = await memory.learnings.restoreAltered();
      if (format === "json") terminal.out(renderJson({ restored, missing }));
      else terminal.out(`Restored ${counted(restored.length, "learning")}\n`);
      if (missing.length > 0) terminal.talk(`No backup has ${missing.join(", ")}\n`);
      return missing.length === 0 ? 0 : 1;
    }
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
