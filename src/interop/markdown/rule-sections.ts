import { basename } from "node:path";
import type { NoteType } from "../../domain/knowledge/note.js";
import { noteRecords } from "../building/note-records.js";
import type { SourceFolder } from "../source-folder.js";
import { readMarkdown } from "./front-matter.js";
import { type FileSection, slugOf } from "./layout-of-sections.js";
import { sectionsOf } from "./sections.js";

/** What setup adds to such files is about Ralph itself. */
const ownPart = /<!-- ralph (?:setup: )?begin -->[\s\S]*?<!-- ralph (?:setup: )?end -->/g;

export interface RuleOptions {
  type?: NoteType;
  tags?: readonly string[];
}

/** Each section of a file of rules as a note, with what the file says about itself. */
export function ruleSections(
  source: SourceFolder,
  file: string,
  { type = "pattern", tags = [] }: RuleOptions = {},
): FileSection[] {
  const { fields, lists, body, bodyLine } = readMarkdown(source.findText(file) ?? "");
  const stem = basename(file).replace(/(?:\.instructions)?\.\w+$/, "") || basename(file);
  const about = fields.get("description") ?? "";
  const where = scopes.flatMap((name) => fields.get(name) ?? lists.get(name)?.join(", ") ?? []).join(", ");
  const used = new Map<string, number>();
  const withoutOwn = body.replace(ownPart, (part) => part.replace(/[^\n]/g, ""));
  return sectionsOf(withoutOwn, { firstLine: bodyLine }).map(({ headings, text, line }) => {
    const title = titleOf(about === "" ? headings : [about, ...headings], stem);
    const scope = where === "" ? "" : ` (${where})`;
    const id = `${file}#${slugOf(headings.join(" "))}`;
    const count = (used.get(id) ?? 0) + 1;
    used.set(id, count);
    const records = noteRecords({
      ...{ id: count === 1 ? id : `${id}-${count}`, type, text, line, title: `${title}${scope}` },
      ...{ tags: [stem, ...tags], original: { title, scope, text } },
    });
    return { name: headings.at(-1) ?? (about || stem), file, records };
  });
}

/** What such files call the files that their rules are for. */
const scopes = ["globs", "applyTo", "fileMatchPattern", "paths"];

function titleOf(headings: readonly string[], stem: string): string {
  return headings.filter((text, index) => text !== headings[index - 1]).join(" › ") || stem;
}
