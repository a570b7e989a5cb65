import { adviceOf } from "../../domain/knowledge/statement.js";
import type { Promoted } from "../../semantic/staging/promote-learnings.js";
import { oneLine } from "./terminal/printable.js";
import type { Terminal } from "./terminal/terminal.js";

/** Prints one line for each promoted or rejected learning. */
export function printPromoted({ learnings, rejected, skipped }: Promoted, terminal: Terminal): void {
  for (const learning of learnings)
    terminal.out(`promoted  ${learning.id}  ${oneLine(adviceOf(learning))}\n`);
  for (const { id, learning, rejectionReason = "" } of rejected)
    terminal.out(`rejected  ${id}  ${rejectionReason}: ${oneLine(adviceOf(learning))}\n`);
  if (skipped > 0) terminal.talk(`${skipped} skipped: deleted here\n`);
  if (learnings.length + rejected.length + skipped === 0) terminal.talk("Nothing to promote\n");
}
