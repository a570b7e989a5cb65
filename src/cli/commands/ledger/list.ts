import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOf, sinceOption } from "../../options/list-options.js";
import { renderLedgers } from "../../output/ledgers.js";
import { cutWholeList } from "../../output/lists/cut-list.js";
import { renderJson } from "../../output/terminal/json.js";

export const listLedgersCommand = defineCommand({
  summary: "list ledgers, newest first",
  arguments: [],
  options: {
    since: { ...sinceOption, summary: "only checkpoints made since then: 24h, 30d or 2026-01-31" },
    limit: limitOption,
    all: allOption,
  },
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph ledger list", "ralph ledger list --since 24h"],
  async run({ options, format, terminal, openMemory }) {
    const since = sinceOf(options) ?? "";
    const found = await (await openMemory()).working.listLedgers();
    const { items: ledgers, tell } = cutWholeList(
      limitOf(options),
      found.filter(({ last_checkpoint: at }) => at >= since),
      { terminal, format },
    );
    if (format === "json") terminal.out(renderJson(ledgers));
    else if (ledgers.length === 0) terminal.talk("No ledgers to show\n");
    else terminal.out(renderLedgers(ledgers, terminal));
    tell();
    return 0;
  },
});
