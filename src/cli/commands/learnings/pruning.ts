import { existsSync } from "node:fs";
import { join } from "node:path";
import { statementOf } from "../../../domain/knowledge/statement.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { isFolder } from "../../../files/find-stats.js";
import type { MergedDuplicates } from "../../../semantic/merge/merge-duplicates.js";
import type { PrunedLearning } from "../../../semantic/records/learning-records.js";
import type { Consolidated } from "../../../semantic/staging/settle-findings.js";
import { counted } from "../../../text/counted.js";
import { defineCommand, wrongUse } from "../../framework/command.js";
import {
  dryRunOption,
  flag,
  number,
  readShare,
  readSince,
  sinceOption,
  text,
  yesOption,
} from "../../framework/options.js";
import { confirm } from "../../input/ask.js";
import { readDocument } from "../../input/read-content.js";
import { printImported } from "../../output/learnings.js";
import { oneLine, renderJson } from "../../output/terminal/style.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const staleDays = 90;

const pruneCommand = defineCommand({
  summary: "delete low-value learnings",
  description:
    "Lists the learnings that match any of the criteria, with the reason, and asks before it deletes them. Antipatterns\n" +
    "have no success rate, so --below looks only at their confidence. A backup is made first.",
  options: {
    below: text("Q", "confidence or success rate below Q, 0 to 1"),
    stale: number("DAYS", `not updated for more than DAYS days [default: ${staleDays}]`, {
      bareValue: String(staleDays),
    }),
    unused: flag("never used"),
    "dry-run": dryRunOption,
    yes: yesOption,
  },
  examples: [
    "ralph learnings prune --below 0.4 --dry-run",
    "ralph learnings prune --stale --unused",
    "ralph learnings prune --stale 30 --yes",
  ],
  async run({ options, format, terminal, openMemory }) {
    const criteria = {
      minQuality: readShare("below", options.below),
      staleDays: options.stale,
      isUnusedToo: options.unused,
    };
    if (options.below === undefined && options.stale === undefined && !options.unused) {
      throw wrongUse("Choose what to prune", "--below 0.4, --stale or --unused; add --dry-run to preview");
    }
    const memory = await openMemory();
    const found = await memory.learnings.prune({ ...criteria, dryRun: true });
    const isDone = options["dry-run"] || found.length === 0;
    if (format === "table" || !isDone) showPruned(found, format === "json", terminal);
    if (
      !isDone &&
      !options.yes &&
      !(await confirm(`Delete ${counted(found.length, "learning")}?`, terminal))
    ) {
      terminal.talk("Nothing was deleted\n");
      return 1;
    }
    const pruned = isDone ? found : await memory.learnings.prune(criteria);
    if (format === "json") terminal.out(renderJson(pruned.map(prunedJson)));
    else if (found.length > 0)
      terminal.talk(`${counted(pruned.length, "learning")} ${isDone ? "would be deleted" : "deleted"}\n`);
  },
});

/** Shown before asking; goes to stderr if the result is JSON. */
function showPruned(pruned: readonly PrunedLearning[], onStderr: boolean, terminal: Terminal): void {
  if (pruned.length === 0) {
    terminal.talk("Nothing to prune\n");
    return;
  }
  const rows = pruned.map(({ learning, reason }) => [
    learning.id,
    learning.type,
    reason,
    statementOf(learning),
  ]);
  const table = renderTable(["ID", { title: "TYPE" }, "REASON", "STATEMENT"], rows, terminal);
  if (onStderr) terminal.talk(table);
  else terminal.out(table);
}

function prunedJson({ learning, reason }: PrunedLearning) {
  return { id: learning.id, type: learning.type, reason, statement: statementOf(learning) };
}

const storeFile = "ralph-learnings.json";

const mergeCommand = defineCommand({
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

const period = "24h";

export const consolidateCommand = defineCommand({
  summary: "draw learnings from recent attempts",
  description:
    "Groups attempts with similar goals. What at least two of them show becomes a learning or strengthens one, errors\n" +
    "become antipatterns, and duplicate learnings are merged. With the setting learnings.promotion: review, learnings are\n" +
    "only staged.",
  options: {
    since: sinceOption(`attempts that ended since then [default: ${period}]`),
    "dry-run": dryRunOption,
  },
  examples: [
    "ralph consolidate",
    "ralph consolidate --since 7d --dry-run",
    "ralph consolidate --since 2026-01-31",
  ],
  async run({ options, format, terminal, openMemory }) {
    const dryRun = options["dry-run"];
    const since = readSince("since", options.since ?? period, new Date());
    const result = await (await openMemory()).learnings.consolidate({ since, dryRun });
    if (format === "json") terminal.out(renderJson({ since, ...result }));
    else printConsolidated(result, dryRun, terminal);
  },
});

function printConsolidated(
  { episodes, clusters, changes, staged, merged }: Consolidated,
  dryRun: boolean,
  terminal: Terminal,
): void {
  for (const { kind, learning } of changes)
    terminal.out(`${kind.padEnd(12)}  ${learning.id}  ${learning.type}  ${oneLine(statementOf(learning))}\n`);
  for (const { kept, superseded } of merged)
    terminal.out(`${"merged".padEnd(12)}  ${superseded.join(", ")} into ${kept}\n`);
  const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
  terminal.talk(
    `${counted(episodes, "attempt")}, ${counted(clusters, "cluster")}: ` +
      `${count("added")} added, ${count("strengthened")} strengthened, ${counted(merged.length, "duplicate")} merged` +
      `${staged > 0 ? `, ${staged} staged for a review` : ""}` +
      `${dryRun ? " (dry run: nothing was changed)" : ""}\n`,
  );
}

/** By the word that follows the noun. */
export const pruningCommands = {
  prune: pruneCommand,
  merge: mergeCommand,
};
