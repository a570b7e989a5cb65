import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const addSkillCommand = defineCommand({
  summary: "install a skill from a file, a folder or a draft",
  description:
    "The skill is checked and copied to .agent/skills/<name>, with the plain files of its folder. A file without front\n" +
    "matter gets it. A draft that was installed is gone from the drafts.",
  arguments: [
    { name: "source", summary: "a Markdown file, a folder with a SKILL.md, or the name of a draft" },
  ],
  options: { force: { kind: "flag", summary: "write over a skill of the same name" } },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill add ./skills/deploy", "ralph skill add fix-login-test"],
  async run({ arguments: [source = ""], options, format, terminal, openMemory }) {
    const added = await (await openMemory()).skills.add(source, options);
    for (const name of added.skipped) terminal.talk(`Note: not a plain file, not copied: ${name}\n`);
    if (format === "json") terminal.out(renderJson(added));
    else terminal.out(format === "quiet" ? `${added.name}\n` : `Skill installed: ${added.path}\n`);
    return 0;
  },
});
