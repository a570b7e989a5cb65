import { existsSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { isFolder } from "../../../files/find-stats.js";
import type { MergedDuplicates } from "../../../semantic/merge/merge-duplicates.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readDocument } from "../../input/read-document.js";
import { dryRunOption } from "../../options/learning-options.js";
import { printImported } from "../../output/imported.js";
import { renderJson } from "../../output/terminal/json.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const storeFile = "ralph-learnings.json";

export const mergeCommand = defineCommand({
  summary: "merge another store's learnings, and merge duplicates",
  description:
    "Learnings are matched by id, then by statement. Of duplicates, the most confident one is kept, with the sources and\n" +
    "counts of all; the others are superseded by it. Deleted learnings stay deleted. What reads like an instruction to an\n" +
    "agent is staged for a review; with the setting learnings.promotion: review, everything is. Without a store, only\n" +
    "duplicates in this project are merged.",
  arguments: [
    { name: "store", summary: `exported file, or folder that contains ${storeFile}`, isOptional: true },
  ],
  options: { "dry-run": dryRunOption },
  formats: ["table", "json"],
  examples: [
    "ralph learnings merge ../other-project/.aiwg/knowledge",
    "ralph learnings merge export.json --dry-run",
    "ralph learnings merge",
  ],
  async run({ arguments: [store], options, format, terminal, openMemory }) {
    const dryRun = options["dry-run"];
    const text = store === undefined ? undefined : readDocument(findStoreFile(store));
    const memory = await openMemory();
    if (text === undefined) {
      const duplicates = await memory.learnings.mergeDuplicates({ dryRun });
      if (format === "json") terminal.out(renderJson({ duplicates }));
      else printDuplicates(duplicates, dryRun, terminal);
      return 0;
    }
    const joined = await memory.learnings.merge(text, { dryRun });
    if (format === "json") terminal.out(renderJson(joined));
    else {
      printImported(joined, terminal);
      printDuplicates(joined.duplicates, dryRun, terminal);
    }
    return 0;
  },
});

function findStoreFile(store: string): string {
  if (!isFolder(store)) return store;
  const path = join(store, storeFile);
  if (existsSync(path)) return path;
  throw new RalphError("not-found", `${store} does not contain ${storeFile}`, {
    hint: '"ralph learnings export" in the other project writes one',
  });
}

function printDuplicates(duplicates: readonly MergedDuplicates[], dryRun: boolean, terminal: Terminal): void {
  for (const { kept, superseded } of duplicates)
    terminal.out(`kept  ${kept}  supersedes ${superseded.join(", ")}\n`);
  const verb = dryRun ? "would be merged" : "merged";
  terminal.talk(`${counted(duplicates.length, "duplicate")} ${verb}\n`);
}
