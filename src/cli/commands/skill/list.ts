import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOption } from "../../options/list-options.js";
import { cutWholeList } from "../../output/lists/cut-list.js";
import { renderSkillTable, skillInBrief } from "../../output/skills.js";
import { renderJson } from "../../output/terminal/json.js";

export const listSkillsCommand = defineCommand({
  summary: "list skills and their success counts",
  description: "In the order of their names. A skill is a file without a date, so there is no --since.",
  arguments: [],
  options: { limit: limitOption, all: allOption },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: ["ralph skill list", "ralph skill list -n 10", "ralph skill list --json"],
  async run({ options, format, terminal, openMemory }) {
    const found = await (await openMemory()).skills.list();
    const { items: skills, tell } = cutWholeList(limitOf(options), found, { terminal, format });
    if (format === "json") terminal.out(renderJson(skills.map(skillInBrief)));
    else if (format === "quiet") terminal.out(skills.map(({ name }) => `${name}\n`).join(""));
    else if (skills.length === 0)
      terminal.talk("No skills yet; install one with: ralph skill add <folder>\n");
    else terminal.out(renderSkillTable(skills, terminal));
    tell();
    return 0;
  },
});
