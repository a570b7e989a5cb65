import {
  isSkillName,
  maxSkillDescriptionLength,
  maxSkillNameLength,
  type Skill,
} from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { splitFrontMatter } from "../text/markdown/split-front-matter.js";
import { type FrontMatter, hasUnclosedFrontMatter, parseFrontMatter } from "./front-matter.js";
import {
  itemsOf,
  parseFix,
  type SectionKind,
  type SkillBody,
  splitSections,
  trimHeading,
} from "./skill-sections.js";

export const descriptionHint = "say in one or two sentences what the skill does and when to use it";

/** A skill file in parts; joined, they are the same text. */
export interface SkillFile extends SkillBody {
  /** The raw front matter; empty when there is none. */
  block: string;
  fields: FrontMatter;
}

/** Parses a skill file, with front matter or in the published form without it (`# Skill: Title`). */
export async function parseSkillFile(text: string): Promise<SkillFile> {
  if (hasUnclosedFrontMatter(text)) {
    throw new RalphError("file-unusable", "The front matter is not closed", {
      hint: "end it with a line of three dashes",
    });
  }
  const { block, rest } = splitFrontMatter(text);
  return { block, fields: await parseFrontMatter(block), ...splitSections(rest) };
}

export function renderSkillFile({ block, opening, sections }: SkillFile): string {
  return block + bodyOf({ opening, sections });
}

/** The text below the front matter. */
export function bodyOf({ opening, sections }: SkillBody): string {
  return opening + sections.map(({ text }) => text).join("");
}

/** The skill in a file; missing sections are empty. */
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

/** The name in the front matter. */
export function declaredName({ fields }: SkillFile): string | undefined {
  const { name } = fields;
  if (name === undefined) return undefined;
  const text = textOf(name) ?? JSON.stringify(name);
  if (isSkillName(text)) return text;
  throw new RalphError("file-unusable", `Invalid skill name: ${JSON.stringify(text.slice(0, 80))}`, {
    hint: `a to z, 0 to 9 and single hyphens, at most ${maxSkillNameLength} characters`,
  });
}

/** Throws when the front matter names another skill than the folder. */
export function checkFolderName(file: SkillFile, folder: string): void {
  const name = declaredName(file);
  if (name === undefined || name === folder) return;
  throw new RalphError("file-unusable", `The skill is named ${name}, but its folder is named ${folder}`, {
    hint: "rename one of them",
  });
}

export function titleOf({ opening }: Pick<SkillFile, "opening">): string | undefined {
  const heading = /^# +(?:Skill: *)?(.+)/m.exec(opening)?.[1];
  return heading && (trimHeading(heading) || undefined);
}

/** Falls back to the first paragraph, the title or the name. */
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
    throw new RalphError("file-unusable", "The description is not a text", {
      hint: descriptionHint,
    });
  }
  const length = [...text].length;
  if (length <= maxSkillDescriptionLength) return text;
  throw new RalphError("file-unusable", `The description has ${length} characters`, {
    hint: `agents read at most ${maxSkillDescriptionLength}`,
  });
}

/** Undefined for a list or a map, which String() could throw on. */
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
