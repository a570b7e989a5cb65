import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { renderLedger } from "../../output/ledgers.js";
import { renderJson } from "../../output/terminal/json.js";

export const showLedgerCommand = defineCommand({
  summary: "show where an agent stopped",
  description: "A ledger is marked stale when its task has ended or its commit no longer exists.",
  arguments: [{ name: "agent", summary: "agent name [default: the newest ledger]", isOptional: true }],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph ledger show eng-001-backend", "ralph ledger show --json"],
  async run({ arguments: [agent], format, terminal, openMemory }) {
    const memory = await openMemory();
    const ledger =
      agent === undefined ? (await memory.working.listLedgers())[0] : await memory.working.getLedger(agent);
    if (ledger === undefined) {
      throw new RalphError("not-found", "No ledgers yet", {
        hint: 'create one with "ralph ledger checkpoint <agent>"',
      });
    }
    terminal.out(format === "json" ? renderJson(ledger) : renderLedger(ledger, terminal));
    return 0;
  },
});
