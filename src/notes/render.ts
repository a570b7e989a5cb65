import { type Note, notesLimits, noteTypes, sectionNames } from "../domain/knowledge/note.js";

/** One note in the file's format, including the final line end. */
export function renderNote(note: Note, lineEnd = "\n"): string {
  const lines = [`### ${note.id}`, ...quoteLines(note.content), metadataLine(note)];
  return lines.map((line) => line + lineEnd).join("");
}

/** Quotes every line, so that content cannot be mistaken for a heading, a comment or a conflict marker. */
export function quoteLines(content: string): string[] {
  return content.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
}

export function metadataLine({ tags, created }: Pick<Note, "tags" | "created">): string {
  return `<!-- tags:${renderTags(tags)} | created: ${created} -->`;
}

/** A new, empty notes file. */
export function renderTemplate(): string {
  return ["# Memories", ...noteTypes.map((type) => `## ${sectionNames[type]}`)].join("\n\n").concat("\n");
}

/** A metadata line split at its tags; each part keeps its author's spelling. */
export interface TaggedLine {
  before: string;
  tags: string;
  after: string;
}

// Blanks are listed: where one character stands for one byte, `\s` would match half of an `à`.
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

/** Tags as written after `tags:`. */
export function renderTags(tags: readonly string[]): string {
  return ` ${tags.join(", ")}`;
}
