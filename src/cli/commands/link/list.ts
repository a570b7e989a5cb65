import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption, sinceOf, sinceOption } from "../../options/list-options.js";
import { cutWholeList } from "../../output/lists/cut-list.js";
import { renderJson } from "../../output/terminal/json.js";
import { renderTable } from "../../output/terminal/table.js";
import { shownTime } from "../../output/times.js";

export const listLinksCommand = defineCommand({
  summary: "list links, newest first",
  description:
    "With an id, links are shown from that record's point of view, in whichever direction they were added.",
  arguments: [
    { name: "id", summary: "only links of this learning, note, task or attempt", isOptional: true },
  ],
  options: {
    since: { ...sinceOption, summary: "only links added since then: 24h, 30d or 2026-01-31" },
    limit: limitOption,
    all: allOption,
  },
  formats: ["table", "json"],
  isLong: true,
  examples: [
    "ralph link list",
    "ralph link list learn-0a1b2c3d4e5f",
    "ralph link list --since 7d -n 20",
    "ralph link list task-001/2 --json",
  ],
  async run({ arguments: [given], options, format, terminal, openMemory }) {
    const since = sinceOf(options) ?? "";
    const found = await (await openMemory()).links.list(given);
    const { items: links, tell } = cutWholeList(
      limitOf(options),
      found.filter(({ created }) => created >= since).reverse(),
      { terminal, format },
    );
    if (format === "json") terminal.out(renderJson(links));
    else if (links.length === 0) terminal.talk("No links to show\n");
    else {
      const rows = links.map(({ from, relation, to, created }) => [
        from,
        relation,
        to,
        shownTime(created, terminal).slice(0, terminal.isScreen ? undefined : 10),
      ]);
      terminal.out(renderTable(["FROM", { title: "RELATION" }, { title: "TO" }, "CREATED"], rows, terminal));
    }
    tell();
    return 0;
  },
});
