import type { ImportedDocument } from "../../semantic/exchange/import-learnings.js";
import { oneLine } from "./terminal/printable.js";
import type { Terminal } from "./terminal/terminal.js";

/** Prints what became of the learnings of a document, and why some of them wait for a person. */
export function printImported(
  { added, merged, unchanged, skipped, staged }: ImportedDocument,
  terminal: Terminal,
  heading = "",
): void {
  const counts = [
    `${added} added`,
    `${merged} merged`,
    `${unchanged} unchanged`,
    `${skipped} skipped (deleted or rejected here)`,
    ...(staged.length === 0 ? [] : [`${staged.length} staged for a review`]),
  ];
  terminal.out(`${heading}${counts.join(", ")}\n`);
  for (const { id, reason } of staged) terminal.out(`staged  ${id}  ${oneLine(reason)}\n`);
  if (staged.length > 0) terminal.talk('Decide on them with "ralph learnings review"\n');
}
