import type { LoadedRecords } from "../../memory/records/record-verbs.js";
import { counted } from "../../text/counted.js";

export interface LoadedLinesOptions {
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
