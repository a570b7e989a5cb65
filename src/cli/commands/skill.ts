import type { ShownSkill, StoredSkill } from "../../memory/skills/skills.js";
import { withoutControls } from "../../text/control-characters.js";
import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { allOption, flag, limitOption, list, text } from "../framework/options.js";
import { printList } from "../framework/print.js";
import { printRedacted } from "../output/terminal/notices.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";

const listSkills = defineCommand({
  summary: "list skills and their success counts",
  description: "Sorted by name. A skill is a file without a date, so there is no --since.",
  options: { limit: limitOption(), all: allOption },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: ["ralph skill list", "ralph skill list -n 10", "ralph skill list --json"],
  async run(invocation) {
    await printList(invocation, {
      find: await (await invocation.openMemory()).skills.list(),
      ...skillList(invocation.terminal),
      empty: "No skills yet; install one with: ralph skill add <folder>",
    });
  },
});

const match = defineCommand({
  summary: "find skills for an objective, best match first",
  arguments: [{ name: "objective", summary: "what you are about to do" }],
  options: { limit: limitOption(5), all: allOption },
  formats: ["table", "json", "quiet"],
  isLong: true,
  examples: [
    'ralph skill match "add a POST /api/todos endpoint"',
    'ralph skill match "why is it slow" -n 1 --json',
  ],
  async run(invocation) {
    const [objective = ""] = invocation.arguments;
    const { skills } = await invocation.openMemory();
    await printList(invocation, {
      find: (limit = Number.POSITIVE_INFINITY) => skills.match(objective, limit),
      fallback: 5,
      ...skillList(invocation.terminal),
      json: (skill) => ({ ...skillJson(skill), score: skill.score, matched: skill.matched }),
      empty: "No matching skills",
    });
  },
});

/** A skill in a list, without its steps. */
function skillJson({ name, description, path, origin, uses, successes }: StoredSkill) {
  return { name, description, path, origin, uses, successes };
}

function skillList(terminal: Terminal) {
  return {
    json: skillJson,
    id: ({ name }: StoredSkill) => name,
    table: (skills: readonly StoredSkill[]) =>
      renderTable(
        ["NAME", { title: "SUCCEEDED", drop: 1 }, "DESCRIPTION"],
        skills.map(({ name, uses, successes, description }) => [
          name,
          uses === 0 ? "–" : `${successes} of ${uses}`,
          description,
        ]),
        terminal,
      ),
  };
}

const show = defineCommand({
  summary: "show a skill and the attempts that used it",
  description: "--format markdown prints the file as is.",
  arguments: [{ name: "name", summary: "skill name" }],
  formats: ["table", "json", "markdown"],
  isLong: true,
  examples: ["ralph skill show api-endpoint", "ralph skill show api-endpoint --format markdown"],
  async run({ arguments: [name = ""], print, openMemory }) {
    const skill = await (await openMemory()).skills.get(name);
    print({ json: skill, markdown: skill.text, table: () => renderSkill(skill) });
  },
});

/** The skill file, followed by the attempts that used it. */
function renderSkill({ text: file, uses, successes, history }: ShownSkill): string {
  const shown = `${withoutControls(file)}${file.endsWith("\n") ? "" : "\n"}`;
  if (uses === 0) return shown;
  const attempts = history.map(
    ({ task_id: task, attempt_id: attempt, succeeded }) =>
      `  ${task}, attempt ${attempt}: ${succeeded ? "succeeded" : "failed"}\n`,
  );
  return `${shown}\nUsed by ${counted(uses, "attempt")}, ${successes} succeeded\n${attempts.join("")}`;
}

const add = defineCommand({
  summary: "install a skill from a file, a folder or a draft",
  description:
    "Validates the skill and copies it to .agent/skills/<name>, with the regular files in its folder. Missing front matter\n" +
    "is added. Secrets are redacted in the copy. An installed draft is removed from the drafts.",
  arguments: [{ name: "source", summary: "Markdown file, folder with a SKILL.md, or name of a draft" }],
  options: { force: flag("overwrite a skill with the same name") },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill add ./skills/deploy", "ralph skill add fix-login-test"],
  async run({ arguments: [source = ""], options, terminal, print, openMemory }) {
    const added = await (await openMemory()).skills.add(source, options);
    for (const name of added.skipped) terminal.talk(`Note: skipped ${name}: not a regular file\n`);
    printRedacted(added.redacted, terminal);
    print({ json: added, quiet: added.name, table: `Skill installed: ${added.path}\n` });
  },
});

const draft = defineCommand({
  summary: "draft a skill from a successful task",
  description:
    "Steps come from the actions that succeeded, known errors from those that were fixed, exit criteria from the final\n" +
    'check. The draft is written to .agent/skills-drafts; review it, edit it, and install it with "ralph skill add".',
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: { name: text("NAME", "skill name") },
  formats: ["table", "json", "quiet"],
  examples: ["ralph skill draft task-001", "ralph skill draft task-001 --name api-endpoint"],
  async run({ arguments: [task = ""], options, terminal, print, openMemory }) {
    const { skill, path, existing, installed } = await (await openMemory()).skills.draft(task, options);
    if (installed !== undefined)
      terminal.talk(`Note: the skill ${skill.name} is already installed: ${installed}\n`);
    const force = installed === undefined ? "" : " --force";
    print({
      json: { ...skill, path, existing, installed },
      quiet: skill.name,
      table: `Draft written: ${path}\nInstall it with: ralph skill add ${skill.name}${force}\n`,
    });
  },
});

const link = defineCommand({
  summary: "link skills into the folders that agents read",
  description:
    "Creates a relative symlink for each skill. Other files with the same name are never replaced: they are reported, and\n" +
    "the exit code is 1.",
  options: {
    to: list("FOLDERS", "project folders, comma-separated [default: .claude/skills, .agents/skills]"),
    copy: flag("copy the files instead of linking"),
  },
  examples: ["ralph skill link", "ralph skill link --to .claude/skills --copy"],
  async run({ options, format, terminal, print, openMemory }) {
    const links = await (await openMemory()).skills.link({ to: options.to, isCopy: options.copy });
    const refused = links.filter(({ result }) => result === "refused");
    const done = links.filter(({ result }) => result !== "refused");
    print({ json: links, table: done.map(({ path, result }) => `${result}: ${path}\n`).join("") });
    if (links.length === 0 && format === "table") terminal.talk("No skills to link\n");
    for (const { path, reason } of refused) terminal.talk(`Error: not replaced: ${path} (${reason})\n`);
    return refused.length === 0 ? 0 : 1;
  },
});

export const skillCommands = { list: listSkills, show, match, add, draft, link };
