import { statementOf } from "../../../domain/knowledge/statement.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { PrunedLearning } from "../../../semantic/records/learning-records.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { confirm } from "../../input/confirm.js";
import { readShare } from "../../input/read-share.js";
import { dryRunOption, yesOption } from "../../options/learning-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const staleDays = 90;

export const pruneCommand = defineCommand({
  summary: "delete low-value learnings",
  description:
    "Lists the learnings that match any of the criteria, with the reason, and asks before it deletes them. Antipatterns\n" +
    "have no success rate, so --below looks only at their confidence. A backup is made first.",
  arguments: [],
  options: {
    below: {
      kind: "text",
      placeholder: "Q",
      summary: "confidence or success rate below Q, 0 to 1",
    },
    stale: {
      kind: "number",
      placeholder: "DAYS",
      bareValue: String(staleDays),
      summary: `not updated for more than DAYS days [default: ${staleDays}]`,
    },
    unused: { kind: "flag", summary: "never used" },
    "dry-run": dryRunOption,
    yes: yesOption,
  },
  formats: ["table", "json"],
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
      throw new RalphError("wrong-use", "Choose what to prune", {
        hint: "--below 0.4, --stale or --unused; add --dry-run to preview",
      });
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
    return 0;
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
