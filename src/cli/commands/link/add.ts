import { type LinkRelation, linkRelations } from "../../../domain/knowledge/link.js";
import { resolveRecordId } from "../../../memory/resolve-record-id.js";
import { checkRelation } from "../../../semantic/records/link-records.js";
import { defineCommand } from "../../framework/command.js";
import { linkArguments } from "../../options/link-arguments.js";
import { renderLinks } from "../../output/links.js";
import { renderJson } from "../../output/terminal/json.js";

export const addLinkCommand = defineCommand({
  summary: "relate two records",
  description:
    `Relations: ${linkRelations.join(", ")}.\n` +
    "A learning that is superseded is no longer shown; of two that contradict each other both are shown, and marked.",
  arguments: linkArguments,
  options: {},
  formats: ["table", "json"],
  examples: [
    "ralph link add learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a",
    "ralph link add mem-1737372000-a1b2 derived_from task-001/2",
  ],
  async run({ arguments: [one = "", word = "", other = ""], format, terminal, openMemory }) {
    const relation: LinkRelation = checkRelation(word);
    const memory = await openMemory();
    const from = await resolveRecordId(memory, one);
    const to = await resolveRecordId(memory, other);
    const isNew = await memory.addLink({ from, relation, to });
    if (format === "json")
      terminal.out(renderJson({ from, relation, to, ...(!isNew && { existing: true }) }));
    else terminal.out(`${isNew ? "linked" : "known"}  ${renderLinks([{ from, relation, to }]).join("")}\n`);
    return 0;
  },
});
