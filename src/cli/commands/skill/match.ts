import { defineCommand } from "../../framework/command.js";
import { renderSkillTable, skillInBrief } from "../../output/skills.js";
import { renderJson } from "../../output/terminal/json.js";

export const matchSkillsCommand = defineCommand({
  summary: "find skills for an objective, best match first",
  arguments: [{ name: "objective", summary: "what you are about to do" }],
  options: {
    limit: {
      kind: "number",
      short: "n",
      placeholder: "N",
      summary: "maximum number of results [default: 5]",
    },
  },
  formats: ["table", "json", "quiet"],
  examples: [
    'ralph skill match "add a POST /api/todos endpoint"',
    'ralph skill match "why is it slow" -n 1 --json',
  ],
  async run({ arguments: [objective = ""], options, format, terminal, openMemory }) {
    const found = await (await openMemory()).skills.match(objective, options.limit);
    if (format === "json")
      terminal.out(
        renderJson(
          found.map((skill) => ({ ...skillInBrief(skill), score: skill.score, matched: skill.matched })),
        ),
      );
    else if (format === "quiet") terminal.out(found.map(({ name }) => `${name}\n`).join(""));
    else if (found.length === 0) terminal.talk("No matching skills\n");
    else terminal.out(renderSkillTable(found, terminal));
    return 0;
  },
});
