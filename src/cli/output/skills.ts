import type { ShownSkill, StoredSkill } from "../../memory/skills/skill-verbs.js";
import { printable } from "./terminal/printable.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";

/** A skill in a list: what it is for, not how it goes. */
export function skillInBrief({ name, description, path, origin, uses, successes }: StoredSkill) {
  return { name, description, path, origin, uses, successes };
}

export function renderSkillTable(skills: readonly StoredSkill[], terminal: Terminal): string {
  const rows = skills.map((skill) => [
    skill.name,
    skill.uses === 0 ? "–" : `${skill.successes} of ${skill.uses}`,
    skill.description,
  ]);
  return renderTable(["NAME", "SUCCEEDED", "DESCRIPTION"], rows, terminal);
}

/** The file as it is, and below it how the skill did. */
export function renderShownSkill({ text, uses, successes, history }: ShownSkill): string {
  const end = text.endsWith("\n") ? "" : "\n";
  if (uses === 0) return `${printable(text)}${end}`;
  const attempts = history.map(
    ({ task_id: task, attempt_id: attempt, succeeded }) =>
      `  ${task}, attempt ${attempt}: ${succeeded ? "success" : "no success"}`,
  );
  return `${printable(text)}${end}\nUsed by ${uses}, ${successes} of them with success\n${attempts.join("\n")}\n`;
}
