import type { SkillFix } from "../domain/knowledge/skill.js";

/** The sections with a meaning, by the field that they fill. */
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

/** A part of the text below a heading of the second level, heading included. */
export interface SkillSection {
  heading: string;
  kind?: SectionKind;
  text: string;
}

export interface SkillBody {
  /** What stands above the first section. */
  opening: string;
  sections: SkillSection[];
}

/** Cuts a text at its headings; the parts put together are the text. */
export function cutSections(text: string): SkillBody {
  const body: SkillBody = { opening: "", sections: [] };
  let fence: string | undefined;
  for (const line of linesWithEnds(text)) {
    fence = fenceAfter(line, fence);
    const marked = fence === undefined ? /^## +(.*)/.exec(line)?.[1] : undefined;
    const current = body.sections.at(-1);
    if (marked !== undefined) {
      const heading = withoutMarks(marked);
      const kind = spellings.find(([, pattern]) => pattern.test(heading))?.[0];
      body.sections.push({ heading, ...(kind && { kind }), text: line });
    } else if (current === undefined) body.opening += line;
    else current.text += line;
  }
  return body;
}

/** The items of a section's list; a line that is no item belongs to the one above. */
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

/** `What happens: what helps`; a colon inside of code separates nothing. */
export function parseFix(item: string): SkillFix {
  const [, error, fix] = /^((?:`[^`]*`|[^`])*?): +([\s\S]+)$/.exec(item) ?? [];
  return error?.trim() && fix?.trim() ? { error: error.trim(), fix: fix.trim() } : { error: item };
}

export function renderFix({ error, fix }: SkillFix): string {
  return fix === undefined ? error : `${error}: ${fix}`;
}

/** A list item whose further lines belong to it. */
export function renderItem(mark: string, item: string): string {
  const indent = " ".repeat(Math.min(mark.length + 1, 3));
  return `${mark} ${item.replace(/\n(?=[^\n])/g, `\n${indent}`)}`;
}

/** A heading without the marks that may close it. */
export function withoutMarks(heading: string): string {
  let end = heading.length;
  while (end > 0 && /[\s#]/.test(heading.charAt(end - 1))) end -= 1;
  return heading.slice(0, end).trim();
}

function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The mark of the code block that a line leaves open. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  const isClosing = mark.startsWith(open) && /^ {0,3}[`~]+\s*$/.test(line);
  return isClosing ? undefined : open;
}
