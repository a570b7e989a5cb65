import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const linkSkillsCommand = defineCommand({
  summary: "show the skills to agents in the folders that they read",
  description:
    "Makes a relative link for each skill. Whatever else is at its place stays, is named, and makes the exit status 1.",
  arguments: [],
  options: {
    to: {
      kind: "list",
      placeholder: "FOLDER",
      summary:
        "a folder of the project; may be given several times [default: .claude/skills, .agents/skills]",
    },
    copy: { kind: "flag", summary: "copy the files, where links cannot be used" },
  },
  formats: ["table", "json"],
  examples: ["ralph skill link", "ralph skill link --to .claude/skills --copy"],
  async run({ options, format, terminal, openMemory }) {
    const links = await (await openMemory()).skills.link({ to: options.to, isCopy: options.copy });
    const refused = links.filter(({ result }) => result === "refused");
    if (format === "json") terminal.out(renderJson(links));
    else {
      for (const { path, result } of links) if (result !== "refused") terminal.out(`${result}: ${path}\n`);
      if (links.length === 0) terminal.talk("There are no skills to link\n");
    }
    for (const { path, reason } of refused) terminal.talk(`Error: not replaced: ${path} (${reason})\n`);
    return refused.length === 0 ? 0 : 1;
  },
});
