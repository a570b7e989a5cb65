import type { ImportedDocument } from "../../semantic/exchange/import-learnings.js";
import { counted } from "../../text/counted.js";
import { oneLine } from "./terminal/printable.js";

/** What became of the learnings of a document. */
export function renderImported({ added, merged, unchanged, skipped, staged }: ImportedDocument): string {
  const total = added + merged + unchanged + skipped + staged.length;
  const counts = [
    `${added} added`,
    `${merged} merged`,
    `${unchanged} unchanged`,
    `${skipped} skipped (deleted or rejected here)`,
    ...(staged.length === 0 ? [] : [`${staged.length} staged for a review`]),
  ];
  const lines = staged.map(({ id, reason }) => `staged  ${id}  ${oneLine(reason)}\n`);
  return [...lines, `Read ${counted(total, "learning")}: ${counts.join(", ")}\n`].join("");
}
