import { defineCommand } from "../../framework/command.js";
import { renderLedgers } from "../../output/ledgers.js";
import { renderJson } from "../../output/terminal/json.js";

export const listLedgersCommand = defineCommand({
  summary: "list all ledgers, newest first",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph ledger list"],
  async run({ format, terminal, openMemory }) {
    const ledgers = await (await openMemory()).working.listLedgers();
    if (format === "json") terminal.out(renderJson(ledgers));
    else if (ledgers.length === 0) terminal.talk("No ledgers yet\n");
    else terminal.out(renderLedgers(ledgers, terminal));
    return 0;
  },
});
