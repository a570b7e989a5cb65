import { basename, dirname } from "node:path";
import type { NoteType } from "../domain/knowledge/note.js";
import type { ForeignRecord } from "../memory/imports/foreign-record.js";
import { closing, opening, splitFrontMatter } from "../text/markdown/split-front-matter.js";
import { unique } from "../text/unique.js";
import type { Layout, ReadOptions } from "./layout.js";
import { noteRecords } from "./records.js";
import { openSource, type SourceFolder } from "./source-folder.js";

export interface MarkdownFile {
  /** By name; nested fields are `outer.inner`. */
  fields: ReadonlyMap<string, string>;
  lists: ReadonlyMap<string, readonly string[]>;
  body: string;
  /** The line on which the body begins. */
  bodyLine: number;
}

const mostLines = 1000;

/** Reads front matter line by line: tools write there, for example, `globs: *.ts`, which is not valid YAML. */
export function readMarkdown(text: string): MarkdownFile {
  const { block, rest } = splitFrontMatter(text);
  const fields = new Map<string, string>();
  const lists = new Map<string, string[]>();
  let outer = "";
  const lines = block.replace(opening, "").replace(closing, "").split(/\r?\n/).slice(0, mostLines);
  for (const line of lines) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, indent = "", name = "", value = ""] = /^(\s*)([\w-]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (item !== undefined) lists.set(outer, [...(lists.get(outer) ?? []), unquoted(item)]);
    else if (name !== "") {
      const full = indent === "" ? name : `${outer}.${name}`;
      if (indent === "") outer = name;
      const inline = /^\[(.*)\]$/.exec(value.trim())?.[1];
      if (inline !== undefined) lists.set(full, inline.split(",").map(unquoted).filter(Boolean));
      else if (value.trim() !== "") fields.set(full, unquoted(value));
    }
  }
  return { fields, lists, body: rest, bodyLine: block === "" ? 1 : block.trimEnd().split("\n").length + 1 };
}

function unquoted(value: string): string {
  const plain = value.trim();
  return /^(["']).*\1$/.test(plain) && plain.length > 1 ? plain.slice(1, -1) : plain;
}

export interface Section {
  /** Its heading and those above it. */
  headings: string[];
  /** Without its heading. */
  text: string;
  line: number;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;

/** The sections of a Markdown text, each with its headings; deeper ones belong to the text above them. */
export function sectionsOf(text: string, { deepest = 2, firstLine = 1 } = {}): Section[] {
  const sections: Section[] = [{ headings: [], text: "", line: firstLine }];
  const levels: { level: number; title: string }[] = [];
  let openFence: string | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && openFence === undefined) openFence = mark;
    else if (mark !== undefined && openFence !== undefined && mark.startsWith(openFence))
      openFence = undefined;
    const [, marks = "", title = ""] = (openFence === undefined && heading.exec(line)) || [];
    const section = sections.at(-1);
    if (marks === "" || marks.length > deepest) {
      if (section !== undefined) section.text += `${line}\n`;
      continue;
    }
    while ((levels.at(-1)?.level ?? 0) >= marks.length) levels.pop();
    levels.push({ level: marks.length, title });
    sections.push({ headings: levels.map((each) => each.title), text: "", line: firstLine + index });
  }
  return sections
    .map((section) => ({ ...section, text: section.text.trim() }))
    .filter((section) => section.text !== "");
}

/** The top-level list items with their further lines, and each paragraph between lists. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  let isItem = false;
  for (const line of text.split(/\r?\n/)) {
    const item = /^[-*+][ \t]+(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (line.trim() === "") isItem = false;
    else if (items.length > 0 && (isItem || /^\s/.test(line)))
      items.push(`${items.pop()}\n${line.trimEnd()}`);
    else items.push(line.trim());
    if (line.trim() !== "") isItem = true;
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

/** The words of a name, so that users need not copy its punctuation. */
export function slugOf(name: string): string {
  return (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("-");
}

/** A part of a file that can be imported on its own. */
export interface FileSection {
  name: string;
  /** Relative to the imported folder. */
  file: string;
  records: ForeignRecord[];
  /** Imported only if it is named. */
  isOptional?: boolean | undefined;
}

type SectionReader = (path: string, options: ReadOptions) => Iterable<FileSection>;

/** A layout whose parts can be picked by the names of sections or files. */
export function layoutOfSections({
  name,
  find,
  sections,
}: Pick<Layout, "name" | "find"> & { sections: SectionReader }): Layout {
  return {
    name,
    find,
    *read(path, options) {
      const { only, onSkipped } = options;
      const unknown = new Set(only);
      const names: string[] = [];
      for (const section of sections(path, options)) {
        const matching = only.filter((word) => isNamed(section, word));
        for (const word of matching) unknown.delete(word);
        if (section.records.length > 0) names.push(section.name);
        const isWanted = only.length === 0 ? !section.isOptional : matching.length > 0;
        if (isWanted) yield { file: section.file, records: section.records };
      }
      for (const word of unknown) onSkipped(`no section ${word}; there are: ${unique(names).join(", ")}`);
    },
    sections: (path, options) =>
      [...sections(path, { ...options, only: [], onSkipped: () => undefined })]
        .filter(({ records }) => records.length > 0)
        .map(({ name: title, file, isOptional = false }) => ({ name: title, file, isOptional })),
  };
}

function isNamed({ name, file }: FileSection, word: string): boolean {
  const stem = basename(file).replace(/\.\w+$/, "");
  return [name, file, basename(file), `${file} ${name}`, stem].map(slugOf).includes(slugOf(word));
}

/** The block that setup adds to such files is about Ralph itself. */
const ownPart = /<!-- ralph (?:setup: )?begin -->[\s\S]*?<!-- ralph (?:setup: )?end -->/g;
/** The fields in which a rules file names the files it applies to. */
const scopeFields = ["globs", "applyTo", "fileMatchPattern", "paths"];

export interface RuleOptions {
  type?: NoteType;
  tags?: readonly string[];
}

/** Each section of a rules file as a note, with the description and scope from its front matter. */
export function ruleSections(
  source: SourceFolder,
  file: string,
  { type = "pattern", tags = [] }: RuleOptions = {},
): FileSection[] {
  const { fields, lists, body, bodyLine } = readMarkdown(source.findText(file) ?? "");
  const stem = basename(file).replace(/(?:\.instructions)?\.\w+$/, "") || basename(file);
  const about = fields.get("description") ?? "";
  const where = scopeFields.flatMap((name) => fields.get(name) ?? lists.get(name)?.join(", ") ?? []);
  const scope = where.length === 0 ? "" : ` (${where.join(", ")})`;
  const used = new Map<string, number>();
  const withoutOwn = body.replace(ownPart, (part) => part.replace(/[^\n]/g, ""));
  return sectionsOf(withoutOwn, { firstLine: bodyLine }).map(({ headings, text, line }) => {
    const above = about === "" ? headings : [about, ...headings];
    const title = above.filter((each, index) => each !== above[index - 1]).join(" › ") || stem;
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

/** The sections of a rules file that the user named. */
export function ruleSectionsAt(path: string): FileSection[] {
  return ruleSections(openSource(dirname(path)), basename(path));
}

export function markdownFilesIn(source: SourceFolder, folder = "", ending = /\.md$/): string[] {
  return [...source.walk(folder)].filter((file) => ending.test(file));
}
