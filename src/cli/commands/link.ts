import { type Link, linkRelations } from "../../domain/knowledge/link.js";
import { defineCommand } from "../framework/command.js";
import { allOption, limitOption, sinceOf, sinceOption } from "../framework/options.js";
import { printList } from "../framework/print.js";
import { renderLinks } from "../output/learnings.js";
import { renderTable } from "../output/terminal/table.js";
import { shownTime } from "../output/times.js";

const linkArguments = [
  {
    name: "from",
    summary: "learning (a unique prefix is enough), note, task (task-001) or attempt (task-001/2)",
  },
  { name: "relation", summary: linkRelations.join(", ") },
  { name: "to", summary: "id of another record" },
];

const inOneLine = (link: Link) => renderLinks([link]).join("");

const add = defineCommand({
  summary: "link two records",
  description:
    `Relations: ${linkRelations.join(", ")}.\n` +
    "A superseded learning is no longer shown. Learnings that contradict each other are both shown, and marked.",
  arguments: linkArguments,
  examples: [
    "ralph link add learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a",
    "ralph link add mem-1737372000-a1b2 derived_from task-001/2",
  ],
  async run({ arguments: [from = "", relation = "", to = ""], print, openMemory }) {
    const { isNew, ...link } = await (await openMemory()).links.add({ from, relation, to });
    print({
      json: { ...link, ...(!isNew && { existing: true }) },
      table: `${isNew ? "linked" : "already linked"}  ${inOneLine(link)}\n`,
    });
  },
});

const list = defineCommand({
  summary: "list links, newest first",
  description:
    "With an id, links are shown from that record's point of view, in whichever direction they were added.",
  arguments: [
    { name: "id", summary: "only links of this learning, note, task or attempt", isOptional: true },
  ],
  options: { since: sinceOption("only links added since then"), limit: limitOption(), all: allOption },
  isLong: true,
  examples: [
    "ralph link list",
    "ralph link list learn-0a1b2c3d4e5f",
    "ralph link list --since 7d -n 20",
    "ralph link list task-001/2 --json",
  ],
  async run(invocation) {
    const { arguments: words, options, terminal, openMemory } = invocation;
    const since = sinceOf(options) ?? "";
    const links = await (await openMemory()).links.list(words[0]);
    await printList(invocation, {
      find: links.filter(({ created }) => created >= since).reverse(),
      table: (items) =>
        renderTable(
          ["FROM", { title: "RELATION" }, { title: "TO" }, "CREATED"],
          items.map(({ from, relation, to, created }) => {
            const time = shownTime(created, terminal);
            return [from, relation, to, terminal.isScreen ? time : time.slice(0, 10)];
          }),
          terminal,
        ),
      empty: "No links to show",
    });
  },
});

const remove = defineCommand({
  summary: "remove a link",
  description: "The link can be named from either end. A learning that the link superseded is shown again.",
  arguments: linkArguments,
  examples: ["ralph link remove learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a"],
  async run({ arguments: [from = "", relation = "", to = ""], print, openMemory }) {
    const link = await (await openMemory()).links.remove({ from, relation, to });
    print({ json: { ...link, removed: true }, table: `removed  ${inOneLine(link)}\n` });
  },
});

export const linkCommands = { add, list, remove };
