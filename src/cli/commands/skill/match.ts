import { defineCommand } from "../../framework/command.js";
import { allOption, limitOf, limitOptionOf } from "../../options/list-options.js";
import { cutList } from "../../output/lists/cut-list.js";
import { renderSkillTable, skillInBrief } from "../../output/skills.js";
import { renderJson } from "../../output/terminal/json.js";

const defaultLimit = 5;

export const matchSkillsCommand = defineCommand({
  summary: "find skills for an objective, best match first",
  arguments: [{ name: "objective", summary: "what you are about to do" }],
  options: {
    limit: limitOptionOf(defaultLimit),
    all: allOption,
  },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    'ralph skill match "add a POST /api/todos endpoint"',
    'ralph skill match "why is it slow" -n 1 --json',
  ],
  async run({ arguments: [objective = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const { items: found, tell } = await cutList(
      limitOf(options, defaultLimit),
      (limit = Number.POSITIVE_INFINITY) => memory.skills.match(objective, limit),
      { terminal, format },
    );
    if (format === "json")
      terminal.out(
        renderJson(
          found.map((skill) => ({ ...skillInBrief(skill), score: skill.score, matched: skill.matched })),
        ),
      );
    else if (format === "quiet") terminal.out(found.map(({ name }) => `${name}\n`).join(""));
    else if (found.length === 0) terminal.talk("No matching skills\n");
    else terminal.out(renderSkillTable(found, terminal));
    tell();
    return 0;
  },
});
