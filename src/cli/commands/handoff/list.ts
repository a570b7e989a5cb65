import type { Handoff } from "../../../domain/working.js";
import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOf, sinceOption } from "../../options/list-options.js";
import { cutWholeList } from "../../output/lists/cut-list.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";
import { shownTime } from "../../output/times.js";

export const listHandoffsCommand = defineCommand({
  summary: "list handoffs, newest first",
  arguments: [],
  options: {
    to: { kind: "text", placeholder: "AGENT", summary: "only handoffs to this agent" },
    since: { ...sinceOption, summary: "only handoffs since then: 24h, 30d or 2026-01-31" },
    limit: limitOption,
    all: allOption,
    pending: { kind: "flag", summary: "only handoffs not accepted yet" },
  },
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph handoff list", "ralph handoff list --to qa-001-testing --pending"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const found = await memory.working.listHandoffs({ to: options.to, isPending: options.pending });
    const since = sinceOf(options) ?? "";
    const { items: handoffs, tell } = cutWholeList(
      limitOf(options),
      found.filter(({ timestamp }) => timestamp >= since),
      { terminal, format },
    );
    if (format === "json") terminal.out(renderJson(handoffs));
    else if (handoffs.length === 0) terminal.talk("No handoffs to show\n");
    else
      terminal.out(
        renderTable(
          ["ID", { title: "FROM", drop: 1 }, { title: "TO" }, { title: "STATUS", drop: 2 }, "DONE"],
          handoffs.map((handoff) => cells(handoff, terminal)),
          terminal,
        ),
      );
    tell();
    return 0;
  },
});

function cells(
  { id, from_agent: from, to_agent: to, accepted_at: at, accepted_by: by, context }: Handoff,
  terminal: Terminal,
) {
  const status =
    at === undefined ? "pending" : `accepted ${shownTime(at, terminal)}${by === to ? "" : ` by ${by}`}`;
  return [id, from, to, status, context.what_was_done];
}
