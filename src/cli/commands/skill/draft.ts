import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const draftSkillCommand = defineCommand({
  summary: "draft a skill from a successful task",
  description:
    "Steps come from the actions that succeeded, known errors from those that were fixed, exit criteria from the final\n" +
    'check. The draft is written to .agent/skills-drafts; review it, edit it, and install it with "ralph skill add".',
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: { name: { kind: "text", placeholder: "NAME", summary: "skill name" } },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill draft task-001", "ralph skill draft task-001 --name api-endpoint"],
  async run({ arguments: [task = ""], options, format, terminal, openMemory }) {
    const { skill, path, existing, installed } = await (await openMemory()).skills.draft(task, options);
    if (installed !== undefined)
      terminal.talk(`Note: the skill ${skill.name} is already installed: ${installed}\n`);
    if (format === "json") terminal.out(renderJson({ ...skill, path, existing, installed }));
    else if (format === "quiet") terminal.out(`${skill.name}\n`);
    else {
      const force = installed === undefined ? "" : " --force";
      terminal.out(`Draft written: ${path}\nInstall it with: ralph skill add ${skill.name}${force}\n`);
    }
    return 0;
  },
});
