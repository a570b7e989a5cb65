import { defineCommand } from "../../framework/command.js";
import { renderSkillTable, skillInBrief } from "../../output/skills.js";
import { renderJson } from "../../output/terminal/json.js";

export const listSkillsCommand = defineCommand({
  summary: "list skills and their success counts",
  arguments: [],
  options: {},
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: ["ralph skill list", "ralph skill list --json"],
  async run({ format, terminal, openMemory }) {
    const skills = await (await openMemory()).skills.list();
    if (format === "json") terminal.out(renderJson(skills.map(skillInBrief)));
    else if (format === "quiet") terminal.out(skills.map(({ name }) => `${name}\n`).join(""));
    else if (skills.length === 0)
      terminal.talk("No skills yet; install one with: ralph skill add <folder>\n");
    else terminal.out(renderSkillTable(skills, terminal));
    return 0;
  },
});
