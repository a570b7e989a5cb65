import { basename, dirname } from "node:path";
import type { NoteType } from "../../domain/knowledge/note.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { noteRecords } from "../building/note-records.js";
import { type MarkdownFile, readMarkdown } from "../markdown/front-matter.js";
import { type FileSection, slugOf } from "../markdown/layout-of-sections.js";
import { itemsOf } from "../markdown/sections.js";
import { openSource } from "../source-folder.js";

const indexFile = "MEMORY.md";

const noteTypes: ReadonlyMap<string, NoteType> = new Map<string, NoteType>([
  ["feedback", "pattern"],
  ["user", "pattern"],
  ["project", "decision"],
]);

/** Each file of memories as a note, linked to those that it names; the index only if it says more than their names. */
export function* memorySections(folder: string, onlyFile?: string): Generator<FileSection> {
  const source = openSource(folder);
  const files = [...source.walk("")].filter((file) => file.endsWith(".md"));
  const read = (file: string) => readMarkdown(source.findText(file) ?? "");
  // Of several folders with equal names, such as `memory`, the one above tells them apart.
  const idOf = (file: string) => `${basename(dirname(folder))}/${basename(folder)}/${file}`;
  const ids = new Map<string, string>();
  for (const file of files)
    for (const name of [stemOf(file), read(file).fields.get("name") ?? ""])
      if (name !== "") ids.set(slugOf(name), idOf(file));
  for (const file of onlyFile === undefined ? files : [onlyFile]) {
    const memory = read(file);
    const id = idOf(file);
    if (basename(file) === indexFile) yield indexSection(file, id, memory);
    else
      yield {
        name: memory.fields.get("name") ?? stemOf(file),
        file,
        records: [...memoryNotes(file, id, memory), ...linksOf(id, memory.body, ids)],
      };
  }
}

function memoryNotes(file: string, id: string, { fields, body }: MarkdownFile): ForeignRecord[] {
  const name = fields.get("name") ?? stemOf(file);
  const type = fields.get("metadata.type") ?? fields.get("type") ?? "";
  const about = fields.get("description") ?? name;
  const isTold = body.toLowerCase().includes(about.toLowerCase().replace(/\.$/, ""));
  return noteRecords({
    ...{ id, type: noteTypes.get(type) ?? "context", text: body.trim() === "" ? about : body },
    ...(!isTold && body.trim() !== "" && { title: about }),
    tags: [slugOf(name), ...(type === "" ? [] : [type])],
    created: fields.get("metadata.modified"),
    original: { fields: Object.fromEntries(fields), body },
  });
}

/** Links to names that nobody has written yet lead nowhere, which the report tells. */
function linksOf(from: string, body: string, ids: ReadonlyMap<string, string>): ForeignRecord[] {
  const names = new Set(
    [...body.matchAll(/\[\[([^\][\n|]{1,200})(?:\|[^\]\n]*)?\]\]/g)].map(([, name = ""]) => name),
  );
  return [...names].map((name): ForeignRecord => {
    const to = ids.get(slugOf(name)) ?? name;
    return { kind: "link", id: `${from} ${to}`, record: { from, to, relation: "related_to" } };
  });
}

/** Lines such as `- [Title](file.md) — hook` only repeat the files. */
function indexSection(file: string, id: string, { body }: MarkdownFile): FileSection {
  const told = itemsOf(body).filter((item) => !/^\[[^\]]*\]\([^)]+\.md\)/.test(item) && !/^#+ /.test(item));
  const records = told.flatMap((text) =>
    noteRecords({ id: `${id}#${slugOf(text).slice(0, 80)}`, type: "context", text, tags: [] }),
  );
  return { name: indexFile, file, records };
}

function stemOf(file: string): string {
  return basename(file).replace(/\.md$/, "");
}
