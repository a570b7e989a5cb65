import type { Skill } from "../domain/knowledge/skill.js";
import { renderYamlText } from "./front-matter.js";
import { renderFix, renderItem, type SectionKind, sectionTitles } from "./skill-sections.js";

/** A skill file: front matter as agents read it, then the published sections. */
export function renderSkill(skill: Skill): string {
  return renderFields(skill) + renderBody(skill);
}

export function renderFields({ name, description, metadata }: Omit<Skill, keyof typeof sectionTitles>) {
  const kept = Object.entries(metadata).map(
    ([key, value]) => `  ${renderYamlText(key)}: ${JSON.stringify(value)}`,
  );
  const lines = [`name: ${name}`, `description: ${renderYamlText(description)}`];
  if (kept.length > 0) lines.push("metadata:", ...kept);
  return `---\n${lines.join("\n")}\n---\n\n`;
}

function renderBody(skill: Skill): string {
  const section = (kind: SectionKind, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${sectionTitles[kind]}\n${lines.join("\n")}\n`];
  const bullets = (items: readonly string[]) => items.map((item) => renderItem("-", item));
  return [
    `# Skill: ${skill.title ?? skill.name}\n`,
    ...section("prerequisites", bullets(skill.prerequisites)),
    ...section(
      "steps",
      skill.steps.map((step, index) => renderItem(`${index + 1}.`, step)),
    ),
    ...section("common_errors", bullets(skill.common_errors.map(renderFix))),
    ...section("exit_criteria", bullets(skill.exit_criteria)),
  ].join("\n");
}
