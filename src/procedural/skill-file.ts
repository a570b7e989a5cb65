import {
  isSkillName,
  maxSkillDescriptionLength,
  maxSkillNameLength,
  type Skill,
  type SkillFix,
} from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { splitFrontMatter } from "../text/markdown/split-front-matter.js";
import {
  type FrontMatter,
  hasUnclosedFrontMatter,
  parseFrontMatter,
  renderYamlText,
} from "./front-matter.js";

export const descriptionHint = "say in one or two sentences what the skill does and when to use it";

/** A skill file in parts, which join to the same text. */
export interface SkillFile extends SkillBody {
  /** The raw front matter; empty if missing. */
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

/** Throws if the front matter's name differs from the folder's. */
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

/** The titles of the known sections, by the skill field they fill. */
export const sectionTitles = {
  prerequisites: "Prerequisites",
  steps: "Steps",
  common_errors: "Common Errors & Fixes",
  exit_criteria: "Exit Criteria",
} as const;

export type SectionKind = keyof typeof sectionTitles;

const spellings: readonly (readonly [SectionKind, RegExp])[] = [
  ["prerequisites", /^prerequisites?$/i],
  ["steps", /^steps$/i],
  ["common_errors", /^common errors(?: (?:&|and) fixes)?$/i],
  ["exit_criteria", /^exit criteri(?:a|on)$/i],
];

/** A second-level heading and the text below it. */
export interface SkillSection {
  heading: string;
  kind?: SectionKind;
  text: string;
}

export interface SkillBody {
  /** The text above the first section. */
  opening: string;
  sections: SkillSection[];
}

/** Splits a text at its headings; the parts join to the same text. */
export function splitSections(text: string): SkillBody {
  const body: SkillBody = { opening: "", sections: [] };
  let fence: string | undefined;
  for (const line of linesWithEnds(text)) {
    fence = fenceAfter(line, fence);
    const marked = fence === undefined ? /^## +(.*)/.exec(line)?.[1] : undefined;
    const current = body.sections.at(-1);
    if (marked !== undefined) {
      const heading = trimHeading(marked);
      const kind = spellings.find(([, pattern]) => pattern.test(heading))?.[0];
      body.sections.push({ heading, ...(kind && { kind }), text: line });
    } else if (current === undefined) body.opening += line;
    else current.text += line;
  }
  return body;
}

/** The list items of a section; other lines belong to the item above. */
export function itemsOf({ text }: SkillSection): string[] {
  const items: string[][] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/).slice(1)) {
    const isCode = fence !== undefined;
    fence = fenceAfter(line, fence);
    const item = isCode ? undefined : /^(?:[-*+]|\d{1,9}[.)]) +(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push([item]);
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ""));
  }
  return items.map((lines) => lines.join("\n").trim()).filter(Boolean);
}

/** Parses `error: fix`; a colon inside code does not separate. */
export function parseFix(item: string): SkillFix {
  const [, error, fix] = /^((?:`[^`]*`|[^`])*?): +([\s\S]+)$/.exec(item) ?? [];
  return error?.trim() && fix?.trim() ? { error: error.trim(), fix: fix.trim() } : { error: item };
}

export function renderFix({ error, fix }: SkillFix): string {
  return fix === undefined ? error : `${error}: ${fix}`;
}

/** A list item with its continuation lines indented. */
export function renderItem(mark: string, item: string): string {
  const indent = " ".repeat(Math.min(mark.length + 1, 3));
  return `${mark} ${item.replace(/\n(?=[^\n])/g, `\n${indent}`)}`;
}

/** A heading without closing `#` marks. */
export function trimHeading(heading: string): string {
  let end = heading.length;
  while (end > 0 && /[\s#]/.test(heading.charAt(end - 1))) end -= 1;
  return heading.slice(0, end).trim();
}

function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The fence that is open after a line, if any. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  const isClosing = mark.startsWith(open) && /^ {0,3}[`~]+\s*$/.test(line);
  return isClosing ? undefined : open;
}

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
