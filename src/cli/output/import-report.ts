import type { ImportedLayout } from "../../interop/import-layout.js";
import { type ForeignKind, foreignKinds } from "../../memory/imports/foreign-record.js";
import { type ImportOutcome, importOutcomes } from "../../memory/imports/import-report.js";
import type { LoadedRecords } from "../../memory/records/record-verbs.js";
import { counted } from "../../text/counted.js";
import { oneLine } from "./terminal/style.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";

/** In the singular. */
export const kindWords: Record<ForeignKind, string> = {
  task: "task",
  learning: "learning",
  staged: "staged learning",
  note: "note",
  skill: "skill",
  ledger: "ledger",
  handoff: "handoff",
  link: "link",
  kept: "other file",
};

const outcomeWords: Record<ImportOutcome, string> = {
  added: "added",
  renumbered: "renumbered",
  updated: "updated",
  present: "already here",
  waiting: "for review",
  superseded: "two versions",
  skipped: "skipped",
};

const shownLines = 20;

/** A table of what became of each kind of record, and a line for what a person should know. */
export function printImportReport(
  report: ImportedLayout,
  { dryRun, path }: { dryRun: boolean; path: string },
  terminal: Terminal,
): void {
  const told = (lines: readonly string[]) => {
    for (const line of lines.slice(0, shownLines)) terminal.talk(`${oneLine(line)}\n`);
    if (lines.length > shownLines) terminal.talk(`… and ${lines.length - shownLines} more; --json has all\n`);
  };
  told(report.leftOut.map((part) => `Not imported: ${part}`));
  told(report.renumbered.map(({ from, to }) => `${from} ${dryRun ? "would be" : "is"} ${to} here`));
  told(
    report.superseded.map(
      ({ id, record, kept }) =>
        `${id} differs from ${record}: the later one counts, which is ${kept === "ours" ? "the one here" : "the imported one"}`,
    ),
  );
  told(
    report.skipped.map(({ file, line, id, why }) => {
      const place = line === undefined ? file : `${file}, line ${line}`;
      return `Skipped ${id} (${place}): ${why}`;
    }),
  );
  terminal.out(renderCounts(report, terminal));
  const total = totalOf(report, ["added", "renumbered", "updated", "waiting", "superseded"]);
  const what =
    total === 0 ? "Nothing new" : `${dryRun ? "Would import" : "Imported"} ${counted(total, "record")}`;
  terminal.out(`${what} from ${oneLine(path)}\n`);
  if (report.waiting.length > 0) {
    told(report.waiting.map(({ id, reason }) => `${id} waits for a review: ${reason}`));
    terminal.talk('Decide on what waits with "ralph learnings review"; skills: "ralph skill add NAME"\n');
  }
}

function renderCounts({ counts }: ImportedLayout, terminal: Terminal): string {
  const kinds = foreignKinds.filter((kind) => counts[kind] !== undefined);
  if (kinds.length === 0) return "";
  const outcomes = importOutcomes.filter((outcome) =>
    kinds.some((kind) => counts[kind]?.[outcome] !== undefined),
  );
  return renderTable(
    ["Records", ...outcomes.map((outcome) => ({ title: outcomeWords[outcome] }))],
    kinds.map((kind) => [
      `${kindWords[kind]}s`,
      ...outcomes.map((outcome) => String(counts[kind]?.[outcome] ?? "")),
    ]),
    terminal,
  );
}

function totalOf({ counts }: ImportedLayout, outcomes: readonly ImportOutcome[]): number {
  return Object.values(counts).reduce(
    (sum, kind) => sum + outcomes.reduce((of, outcome) => of + (kind?.[outcome] ?? 0), 0),
    0,
  );
}

interface LoadedLinesOptions {
  dryRun?: boolean;
}

/** What was added, table by table, and what was not. */
export function loadedLines(
  { added, updated, present, leftOut, renumbered, waiting = 0 }: LoadedRecords,
  { dryRun = false }: LoadedLinesOptions = {},
): string[] {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([table, count]) => `${table} ${count}`)
      .join(", ");
  const total = (counts: Record<string, number>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rest = [
    total(updated) > 0 ? `${total(updated)} brought up to date` : "",
    total(present) > 0 ? `${total(present)} already existed` : "",
    total(leftOut) > 0 ? `${total(leftOut)} left out` : "",
  ].filter((part) => part !== "");
  return [
    ...renumbered.map(({ from, to }) => `${from} ${dryRun ? "would be" : "is"} ${to} here`),
    ...(total(leftOut) > 0
      ? [`Left out, because they were deleted here or are different here: ${list(leftOut)}`]
      : []),
    ...(total(updated) > 0 ? [`${dryRun ? "Would bring" : "Brought"} up to date: ${list(updated)}`] : []),
    ...(waiting > 0
      ? [
          `Not shown to agents until you allow it ("ralph trust"), as they read like instructions: ${counted(waiting, "record")}`,
        ]
      : []),
    ...(total(added) > 0 ? [`${dryRun ? "Would add" : "Added"}: ${list(added)}`] : []),
    `${dryRun ? "Would import" : "Imported"} ${counted(total(added), "row")}${rest.map((part) => `, ${part}`).join("")}`,
  ];
}
