import { RalphError } from "../../../domain/ralph-error.js";
import { writeDump } from "../../../interop/dump.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { targetFile } from "../../output/target-file.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

export const exportJsonlCommand = defineCommand({
  summary: "export all records as JSON Lines, for a backup or another store",
  description:
    "Writes every record that the store keeps: tasks, attempts, actions, reflections, learnings, links, briefs, credits,\n" +
    "ledgers, handoffs, skill uses and runs, as they are at one moment. Notes and skills stay in their files. The first line\n" +
    'says what it is, the last one how many rows there are. "ralph import jsonl" reads it back, into any store.',
  arguments: [{ name: "file", summary: "file to write; - writes to standard output" }],
  options: { force: { kind: "flag", summary: "overwrite the file" } },
  formats: ["table", "json"],
  examples: ["ralph export jsonl backup.jsonl", "ralph export jsonl - | gzip > backup.jsonl.gz"],
  async run({ arguments: [file = ""], options, format, terminal, openMemory }) {
    if (file.trim() === "") throw new RalphError("wrong-use", "The name of the file is missing");
    const isPiped = file === "-";
    const path = isPiped ? file : targetFile(file);
    const { writeNewFile } = await import("../../../files/write-new-file.js");
    const { records } = await openMemory();
    const created = new Date().toISOString();
    const counts = await records.dump((dump) => {
      const onProgress = progressOn(terminal, "Writing records");
      if (!isPiped)
        return writeNewFile(path, { force: options.force }, (write) =>
          writeDump(dump, { created, write, onProgress }),
        );
      const write = async (lines: string) => terminal.out(Buffer.from(lines));
      return writeDump(dump, { created, write });
    });
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (format === "json" && !isPiped) terminal.out(renderJson({ file: path, rows, counts }));
    else if (isPiped) terminal.talk(`Exported ${counted(rows, "row")}\n`);
    else terminal.out(`Exported ${counted(rows, "row")} to ${path}\n`);
    return 0;
  },
});
