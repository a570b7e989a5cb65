import type { SkillFix } from "../domain/knowledge/skill.js";

/** The known sections, by the field of a skill that they fill. */
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

/** Splits a text at its headings; joined, the parts are the same text. */
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
