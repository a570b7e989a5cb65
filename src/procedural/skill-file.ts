import {
  isSkillName,
  maxSkillDescriptionLength,
  maxSkillNameLength,
  type Skill,
} from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { type FrontMatter, isUnclosed, readFrontMatter, splitFrontMatter, yamlText } from "./front-matter.js";
import {
  cutSections,
  itemsOf,
  parseFix,
  renderFix,
  renderItem,
  type SectionKind,
  type SkillBody,
  sectionTitles,
  withoutMarks,
} from "./skill-sections.js";

/** A skill's file in pieces; put together again they are the same text. */
export interface SkillFile extends SkillBody {
  /** The front matter as it stands; empty when there is none. */
  block: string;
  fields: FrontMatter;
}

/** Reads a skill's file, also one in the published form without front matter (`# Skill: Title`). */
export async function parseSkillFile(text: string): Promise<SkillFile> {
  if (isUnclosed(text)) {
    throw new RalphError("file-unusable", "Its front matter is not closed", {
      hint: "end it with a line of three dashes",
    });
  }
  const { block, rest } = splitFrontMatter(text);
  return { block, fields: await readFrontMatter(block), ...cutSections(rest) };
}

export function renderSkillFile({ block, opening, sections }: SkillFile): string {
  return block + bodyOf({ opening, sections });
}

/** The text below the front matter. */
export function bodyOf({ opening, sections }: SkillBody): string {
  return opening + sections.map(({ text }) => text).join("");
}

/** What a file says as a skill of a name; sections that are not there are empty. */
export function toSkill(file: SkillFile, name: string): Skill {
  const items = (kind: SectionKind) =>
    file.sections.filter((section) => section.kind === kind).flatMap(itemsOf);
  const title = titleOf(file);
  return {
    name,
    description: describe(file, name),
    ...(title && { title }),
    prerequisites: items("prerequisites"),
    steps: items("steps"),
    common_errors: items("common_errors").map(parseFix),
    exit_criteria: items("exit_criteria"),
    metadata: textsOf(file.fields.metadata),
  };
}

/** The name in the front matter, which has to be that of its folder. */
export function statedName({ fields }: SkillFile): string | undefined {
  const { name } = fields;
  if (name === undefined) return undefined;
  const text = textOf(name) ?? JSON.stringify(name);
  if (isSkillName(text)) return text;
  throw new RalphError("file-unusable", `Its name ${JSON.stringify(text.slice(0, 80))} is not one`, {
    hint: `a to z, 0 to 9 and single hyphens, at most ${maxSkillNameLength} characters`,
  });
}

export function titleOf({ opening }: Pick<SkillFile, "opening">): string | undefined {
  const heading = /^# +(?:Skill: *)?(.+)/m.exec(opening)?.[1];
  return heading && (withoutMarks(heading) || undefined);
}

/** A file from the values of a skill, in the published form below front matter as agents read it. */
export function renderSkill(skill: Skill): string {
  return renderFields(skill) + renderBody(skill);
}

export function renderFields({ name, description, metadata }: Omit<Skill, keyof typeof sectionTitles>) {
  const kept = Object.entries(metadata).map(([key, value]) => `  ${yamlText(key)}: ${JSON.stringify(value)}`);
  const lines = [`name: ${name}`, `description: ${yamlText(description)}`];
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

/** Without a stated description, the first paragraph or the title has to do. */
function describe(file: SkillFile, name: string): string {
  const { description } = file.fields;
  if (description === undefined || description === null) {
    const paragraph = file.opening
      .replaceAll("\r", "")
      .split(/\n{2,}/)
      .map((part) => part.replace(/^#.*$/gm, "").replace(/\s+/g, " ").trim())
      .find(Boolean);
    return [...(paragraph ?? titleOf(file) ?? name)].slice(0, maxSkillDescriptionLength).join("");
  }
  const text = textOf(description)?.trim();
  if (text === undefined || text === "") {
    throw new RalphError("file-unusable", "Its description is not a text", {
      hint: "say in one or two sentences what the skill does and when to use it",
    });
  }
  const length = [...text].length;
  if (length <= maxSkillDescriptionLength) return text;
  throw new RalphError("file-unusable", `Its description has ${length} characters`, {
    hint: `agents read at most ${maxSkillDescriptionLength}`,
  });
}

/** A list or a map is no text, and may have no way to become one. */
function textOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? undefined : String(value);
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => typeof entry !== "object" || entry === null)
      .map(([key, entry]) => [key, String(entry)]),
  );
}
