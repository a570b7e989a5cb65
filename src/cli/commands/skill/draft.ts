import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const draftSkillCommand = defineCommand({
  summary: "propose a skill from a task that succeeded",
  description:
    "Steps come from the actions that worked, errors and fixes from what was resolved on the way, exit criteria from the\n" +
    'check at the end. The draft goes to .agent/skills-drafts; read it, edit it, and install it with "ralph skill add".',
  arguments: [{ name: "task", summary: "its id, such as task-001" }],
  options: { name: { kind: "text", placeholder: "NAME", summary: "what the skill is called" } },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill draft task-001", "ralph skill draft task-001 --name api-endpoint"],
  async run({ arguments: [task = ""], options, format, terminal, openMemory }) {
    const { skill, path, existing, installed } = await (await openMemory()).skills.draft(task, options);
    if (installed !== undefined)
      terminal.talk(`Note: a skill ${skill.name} is installed already: ${installed}\n`);
    if (format === "json") terminal.out(renderJson({ ...skill, path, existing, installed }));
    else if (format === "quiet") terminal.out(`${skill.name}\n`);
    else {
      const force = installed === undefined ? "" : " --force";
      terminal.out(`Draft written: ${path}\nInstall it with: ralph skill add ${skill.name}${force}\n`);
    }
    return 0;
  },
});
