import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { printRedacted } from "../../output/terminal/notices.js";

export const addSkillCommand = defineCommand({
  summary: "install a skill from a file, a folder or a draft",
  description:
    "Validates the skill and copies it to .agent/skills/<name>, with the regular files in its folder. Missing front matter\n" +
    "is added. Secrets are redacted in the copy. An installed draft is removed from the drafts.",
  arguments: [{ name: "source", summary: "Markdown file, folder with a SKILL.md, or name of a draft" }],
  options: { force: { kind: "flag", summary: "overwrite a skill with the same name" } },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill add ./skills/deploy", "ralph skill add fix-login-test"],
  async run({ arguments: [source = ""], options, format, terminal, openMemory }) {
    const added = await (await openMemory()).skills.add(source, options);
    for (const name of added.skipped) terminal.talk(`Note: skipped ${name}: not a regular file\n`);
    printRedacted(added.redacted, terminal);
    if (format === "json") terminal.out(renderJson(added));
    else terminal.out(format === "quiet" ? `${added.name}\n` : `Skill installed: ${added.path}\n`);
    return 0;
  },
});
