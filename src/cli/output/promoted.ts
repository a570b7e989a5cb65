import type { Promoted } from "../../semantic/promote-learnings.js";
import { statementOf } from "../../semantic/statement.js";
import { oneLine } from "./printable.js";
import type { Terminal } from "./terminal.js";

/** What became of staged learnings, a line for each. */
export function tellPromoted({ learnings, rejected, skipped }: Promoted, terminal: Terminal): void {
  for (const learning of learnings)
    terminal.out(`promoted  ${learning.id}  ${oneLine(statementOf(learning))}\n`);
  for (const { id, learning, rejectionReason = "" } of rejected)
    terminal.out(`rejected  ${id}  ${rejectionReason}: ${oneLine(statementOf(learning))}\n`);
  if (skipped > 0) terminal.talk(`${skipped} skipped: deleted here before\n`);
  if (learnings.length + rejected.length + skipped === 0) terminal.talk("Nothing to promote\n");
}
