import { linkRelations } from "../../../domain/knowledge/link.js";
import { defineCommand } from "../../framework/command.js";
import { linkArguments } from "../../options/link-arguments.js";
import { renderLinks } from "../../output/links.js";
import { renderJson } from "../../output/terminal/json.js";

export const addLinkCommand = defineCommand({
  summary: "link two records",
  description:
    `Relations: ${linkRelations.join(", ")}.\n` +
    "A superseded learning is no longer shown. Learnings that contradict each other are both shown, and marked.",
  arguments: linkArguments,
  options: {},
  formats: ["table", "json"],
  examples: [
    "ralph link add learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a",
    "ralph link add mem-1737372000-a1b2 derived_from task-001/2",
  ],
  async run({ arguments: [from = "", relation = "", to = ""], format, terminal, openMemory }) {
    const { links } = await openMemory();
    const { isNew, ...link } = await links.add({ from, relation, to });
    if (format === "json") terminal.out(renderJson({ ...link, ...(!isNew && { existing: true }) }));
    else terminal.out(`${isNew ? "linked" : "already linked"}  ${renderLinks([link]).join("")}\n`);
    return 0;
  },
});
