import type { ShownSkill, StoredSkill } from "../../memory/skills/skill-verbs.js";
import { withoutControls } from "../../text/control-characters.js";
import { counted } from "../../text/counted.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";

/** A skill in a list, without its steps. */
export function skillInBrief({ name, description, path, origin, uses, successes }: StoredSkill) {
  return { name, description, path, origin, uses, successes };
}

export function renderSkillTable(skills: readonly StoredSkill[], terminal: Terminal): string {
  const rows = skills.map((skill) => [
    skill.name,
    skill.uses === 0 ? "–" : `${skill.successes} of ${skill.uses}`,
    skill.description,
  ]);
  return renderTable(["NAME", { title: "SUCCEEDED", drop: 1 }, "DESCRIPTION"], rows, terminal);
}

/** The skill file, followed by the attempts that used it. */
export function renderShownSkill({ text, uses, successes, history }: ShownSkill): string {
  const end = text.endsWith("\n") ? "" : "\n";
  if (uses === 0) return `${withoutControls(text)}${end}`;
  const attempts = history.map(
    ({ task_id: task, attempt_id: attempt, succeeded }) =>
      `  ${task}, attempt ${attempt}: ${succeeded ? "succeeded" : "failed"}`,
  );
  return `${withoutControls(text)}${end}\nUsed by ${counted(uses, "attempt")}, ${successes} succeeded\n${attempts.join("\n")}\n`;
}
