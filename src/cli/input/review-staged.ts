import type { StagedLearning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import { printPromoted } from "../output/promoted.js";
import { renderStaged } from "../output/staged.js";
import type { Terminal } from "../output/terminal/terminal.js";
import type { Ask } from "./ask.js";

export interface Reviewed {
  accepted: number;
  rejected: number;
  skipped: number;
}

type Decision = keyof Reviewed | "quit";

/** Shows staged learnings one by one and asks what to do; each decision is saved immediately. */
export async function reviewStaged(
  memory: Memory,
  staged: readonly StagedLearning[],
  terminal: Terminal,
  ask: Ask,
): Promise<Reviewed> {
  const reviewed: Reviewed = { accepted: 0, rejected: 0, skipped: 0 };
  for (const [index, entry] of staged.entries()) {
    terminal.talk(`\n[${index + 1} of ${staged.length}] ${renderStaged(entry)}`);
    const decision = await decide(memory, entry, terminal, ask);
    if (decision === "quit") break;
    reviewed[decision] += 1;
  }
  return reviewed;
}

async function decide(
  memory: Memory,
  entry: StagedLearning,
  terminal: Terminal,
  ask: Ask,
): Promise<Decision> {
  for (;;) {
    const answer = await ask("(a)ccept, (e)dit, (r)eject, (s)kip or (q)uit? ");
    const key = answer === undefined ? "q" : answer.trim().toLowerCase().charAt(0);
    if (key === "q") return "quit";
    if (key === "s") return "skipped";
    try {
      if (key === "a" && (await accept(memory, entry.id, terminal))) return "accepted";
      if (key === "e") {
        const statement = (await ask("New wording: "))?.trim();
        if (!statement) continue;
        await memory.learnings.acceptStaged(entry.id, statement);
        if (await accept(memory, entry.id, terminal)) return "accepted";
      }
      if (key === "r") {
        const reason = (await ask("Reason: "))?.trim();
        if (!reason) continue;
        await memory.learnings.rejectStaged(entry.id, reason);
        return "rejected";
      }
    } catch (error) {
      // Another process may have decided in the meantime; continue with the next one.
      if (!(error instanceof RalphError) || error.code === "interrupted") throw error;
      terminal.talk(`${error.message}\n`);
    }
  }
}

async function accept(memory: Memory, id: string, terminal: Terminal): Promise<boolean> {
  const promoted = await memory.learnings.promoteStaged({ ids: [id], autoValidate: true });
  printPromoted(promoted, { ...terminal, out: (text) => terminal.talk(String(text)) });
  return promoted.rejected.length === 0;
}
