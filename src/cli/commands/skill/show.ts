import { defineCommand } from "../../framework/command.js";
import { renderShownSkill } from "../../output/skills.js";
import { renderJson } from "../../output/terminal/json.js";

export const showSkillCommand = defineCommand({
  summary: "show a skill and the attempts that used it",
  description: "--format markdown prints the file as is.",
  arguments: [{ name: "name", summary: "skill name" }],
  options: {},
  formats: ["table", "json", "markdown"],
  isLong: true,
  examples: ["ralph skill show api-endpoint", "ralph skill show api-endpoint --format markdown"],
  async run({ arguments: [name = ""], format, terminal, openMemory }) {
    const skill = await (await openMemory()).skills.get(name);
    if (format === "json") terminal.out(renderJson(skill));
    else terminal.out(format === "markdown" ? skill.text : renderShownSkill(skill));
    return 0;
  },
});
