import { notesLimits } from "../domain/knowledge/note.js";

/** A line of metadata, taken apart at its tags; each part is as its author wrote it. */
export interface TaggedLine {
  before: string;
  tags: string;
  after: string;
}

// Blanks by name: where one character stands for one byte, `\s` would take half of an `à`.
const tagged = /^(\s*<!--\s*tags:)(.*?)(?=[ \t]?\|\s*created:(?!.*\|\s*created:)|[ \t]?-->|[ \t\r\n]*$)/;

export function splitAtTags(line: string): TaggedLine {
  const [found = "", before = "", tags = ""] = tagged.exec(line) ?? [];
  return { before, tags, after: line.slice(found.length) };
}

export function listTags(text: string): string[] {
  return text
    .split(",", notesLimits.tags)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** Tags as they stand behind `tags:`. */
export function renderTags(tags: readonly string[]): string {
  return ` ${tags.join(", ")}`;
}
