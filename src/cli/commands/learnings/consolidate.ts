import { statementOf } from "../../../domain/knowledge/statement.js";
import type { Consolidated } from "../../../semantic/staging/pipeline.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readSince } from "../../input/read-since.js";
import { dryRunOption } from "../../options/learning-options.js";
import { sinceOption } from "../../options/list-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";
import type { Terminal } from "../../output/terminal/terminal.js";

const period = "24h";

export const consolidateCommand = defineCommand({
  summary: "draw learnings from recent attempts",
  description:
    "Groups attempts with similar goals. What at least two of them show becomes a learning or strengthens one, errors\n" +
    "become antipatterns, and duplicate learnings are merged. With the setting learnings.promotion: review, learnings are\n" +
    "only staged.",
  arguments: [],
  options: {
    since: {
      ...sinceOption,
      summary: `attempts that ended since then: 24h, 7d or 2026-01-31 [default: ${period}]`,
    },
    "dry-run": dryRunOption,
  },
  formats: ["table", "json"],
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
    return 0;
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
