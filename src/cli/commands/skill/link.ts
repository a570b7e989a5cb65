import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const linkSkillsCommand = defineCommand({
  summary: "link skills into the folders that agents read",
  description:
    "Creates a relative symlink for each skill. Other files with the same name are never replaced: they are reported, and\n" +
    "the exit code is 1.",
  arguments: [],
  options: {
    to: {
      kind: "list",
      placeholder: "FOLDERS",
      summary: "project folders, comma-separated [default: .claude/skills, .agents/skills]",
    },
    copy: { kind: "flag", summary: "copy the files instead of linking" },
  },
  formats: ["table", "json"],
  examples: ["ralph skill link", "ralph skill link --to .claude/skills --copy"],
  async run({ options, format, terminal, openMemory }) {
    const links = await (await openMemory()).skills.link({ to: options.to, isCopy: options.copy });
    const refused = links.filter(({ result }) => result === "refused");
    if (format === "json") terminal.out(renderJson(links));
    else {
      for (const { path, result } of links) if (result !== "refused") terminal.out(`${result}: ${path}\n`);
      if (links.length === 0) terminal.talk("No skills to link\n");
    }
    for (const { path, reason } of refused) terminal.talk(`Error: not replaced: ${path} (${reason})\n`);
    return refused.length === 0 ? 0 : 1;
  },
});
