import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { renderLedger } from "../../output/ledgers.js";
import { renderJson } from "../../output/terminal/json.js";

export const showLedgerCommand = defineCommand({
  summary: "show where an agent stopped",
  description: "A ledger whose task has ended, or whose commit is gone, is said to be stale.",
  arguments: [{ name: "agent", summary: "its name; the newest ledger by default", isOptional: true }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph ledger show eng-001-backend", "ralph ledger show --json"],
  async run({ arguments: [agent], format, terminal, openMemory }) {
    const memory = await openMemory();
    const ledger =
      agent === undefined ? (await memory.working.listLedgers())[0] : await memory.working.getLedger(agent);
    if (ledger === undefined) {
      throw new RalphError("not-found", "There is no ledger yet", {
        hint: '"ralph ledger checkpoint <agent>" makes one',
      });
    }
    terminal.out(format === "json" ? renderJson(ledger) : renderLedger(ledger));
    return 0;
  },
});
