import { resolve } from "node:path";
import { openDump } from "../../../interop/dump.js";
import { defineCommand } from "../../framework/command.js";
import { loadedLines } from "../../output/loaded-records.js";
import { renderJson } from "../../output/terminal/json.js";
import { rateOn } from "../../output/terminal/rate.js";

export const importJsonlCommand = defineCommand({
  summary: "import all records of a dump",
  description:
    'Reads what "ralph export jsonl" wrote. The whole file is checked first; if a line is invalid, nothing is imported.\n' +
    "Of what is here already the later version stays; what was deleted here does not come back. Importing twice changes nothing.\n" +
    "A task whose number is taken gets the next free one. Secrets are taken out. A task or learning in it that reads like an\n" +
    "instruction to an agent is shown to agents once you have allowed it, and an interrupted run can be resumed once you have\n" +
    'allowed what it would start ("ralph trust").',
  arguments: [{ name: "file", summary: "file with the dump" }],
  options: { "dry-run": { kind: "flag", summary: "only say what would be imported" } },
  formats: ["table", "json"],
  examples: ["ralph import jsonl backup.jsonl", "ralph import jsonl backup.jsonl --dry-run"],
  async run({ arguments: [file = ""], options, format, terminal, openMemory }) {
    const { header, rows } = openDump(resolve(file));
    const { records } = await openMemory();
    const total = await records.check(rows());
    const dryRun = options["dry-run"];
    const onProgress = rateOn(terminal, total);
    const loaded = await records.load(header, rows(), { dryRun, onProgress });
    if (format === "json") terminal.out(renderJson({ ...loaded, dry_run: dryRun }));
    else for (const line of loadedLines(loaded, { dryRun })) terminal.out(`${line}\n`);
    return 0;
  },
});
