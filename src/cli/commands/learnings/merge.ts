import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import type { MergedDuplicates } from "../../../semantic/merge/merge-duplicates.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readDocument } from "../../input/read-document.js";
import { dryRunOption } from "../../options/learning-options.js";
import { renderJson } from "../../output/terminal/json.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const storeFile = "ralph-learnings.json";

export const mergeCommand = defineCommand({
  summary: "join another store of learnings, and merge what says the same",
  description:
    "Learnings are matched by their id, then by what they say. Of those that say the same the most confident one is kept,\n" +
    "with the sources and counts of all; the others stay, superseded by it. What was deleted here stays deleted. Without a\n" +
    "file only the learnings that are here are merged.",
  arguments: [
    { name: "store", summary: `an exported file, or a folder that holds ${storeFile}`, isOptional: true },
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
      else tellDuplicates(duplicates, dryRun, terminal);
      return 0;
    }
    const joined = await memory.learnings.merge(text, { dryRun });
    if (format === "json") terminal.out(renderJson(joined));
    else {
      const { added, merged, unchanged, skipped } = joined;
      terminal.out(`${added} added, ${merged} merged, ${unchanged} known, ${skipped} deleted before\n`);
      tellDuplicates(joined.duplicates, dryRun, terminal);
    }
    return 0;
  },
});

function findStoreFile(store: string): string {
  if (!statSync(store, { throwIfNoEntry: false })?.isDirectory()) return store;
  const path = join(store, storeFile);
  if (existsSync(path)) return path;
  throw new RalphError("not-found", `${store} holds no ${storeFile}`, {
    hint: '"ralph learnings export" in the other project writes a file that can be merged',
  });
}

function tellDuplicates(duplicates: readonly MergedDuplicates[], dryRun: boolean, terminal: Terminal): void {
  for (const { kept, superseded } of duplicates)
    terminal.out(`kept  ${kept}  in the place of ${superseded.join(", ")}\n`);
  const verb = dryRun ? "would be merged" : "merged";
  terminal.talk(`${counted(duplicates.length, "duplicate")} ${verb}\n`);
}
