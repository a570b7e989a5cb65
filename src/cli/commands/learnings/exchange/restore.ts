import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { confirm } from "../../../input/confirm.js";
import { yesOption } from "../../../options/learning-options.js";
import { renderJson } from "../../../output/terminal/json.js";

export const restoreCommand = defineCommand({
  summary: "put a backup in the place of all learnings",
  description:
    "The newest good backup is taken when none is named; one whose checksum does not match is passed over, or refused when\n" +
    "it is named. What is here before is backed up first.",
  arguments: [{ name: "file", summary: "a backup [default: the newest good one]", isOptional: true }],
  options: { yes: yesOption },
  formats: ["table", "json"],
  examples: [
    "ralph learnings restore",
    "ralph learnings restore .ralph/backups/learnings-2026-01-31.json --yes",
  ],
  async run({ arguments: [file], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { totalSize } = await memory.learnings.stats();
    const question = `Replace ${counted(totalSize, "learning")} by those of ${file ?? "the newest good backup"}?`;
    if (!options.yes && !(await confirm(question, terminal))) {
      terminal.talk("Nothing was changed\n");
      return 1;
    }
    const restored = await memory.learnings.restore(file);
    if (format === "json") terminal.out(renderJson(restored));
    else terminal.out(`${counted(restored.learnings, "learning")} restored from ${restored.path}\n`);
    return 0;
  },
});
