import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { NoteType } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject, isText } from "../../domain/shape.js";
import { findStats } from "../../files/find-stats.js";
import { isInside } from "../../files/path-inside.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import type { ReadOptions, Surroundings } from "../layout.js";
import {
  type FileSection,
  itemsOf,
  layoutOfSections,
  type MarkdownFile,
  markdownFilesIn,
  readMarkdown,
  ruleSections,
  ruleSectionsAt,
  slugOf,
} from "../markdown.js";
import { findSettings, linesOf, listEntries } from "../read-file.js";
import { linkRecord, noteRecords } from "../records.js";
import { openSource } from "../source-folder.js";

const ruleFiles = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"];
const rulesFolder = ".claude/rules";
const agentFolders = [".claude/agent-memory", ".claude/agent-memory-local"];
const memoryFolder = "memory";
const indexFile = "MEMORY.md";

/** What Claude Code stores about a project: its own memories, those of its agents, and its users' rules. */
export const claudeLayout = layoutOfSections({
  name: "claude",
  find: (surroundings) => [
    ...[findProjectMemory(surroundings) ?? []].flat(),
    ...(hasRules(surroundings.root) ? [surroundings.root] : []),
  ],
  sections: readSections,
});

function hasRules(path: string): boolean {
  return [...ruleFiles, rulesFolder, ...agentFolders].some((name) => existsSync(join(path, name)));
}

/** A project, the user's folder with all projects, a folder with memories, or a single file. */
function* readSections(path: string, { surroundings }: ReadOptions): Generator<FileSection> {
  if (findStats(path)?.isFile()) {
    const isRules = /^CLAUDE(?:\.local)?\.md$/.test(basename(path)) || basename(dirname(path)) === "rules";
    if (isRules) yield* ruleSectionsAt(path);
    else yield* memorySections(dirname(path), basename(path));
  } else if (hasRules(path)) yield* projectSections(path);
  else if (existsSync(join(path, "projects"))) {
    const environment = { ...surroundings.environment, CLAUDE_CONFIG_DIR: path };
    const memory = findProjectMemory({ ...surroundings, environment });
    if (memory === undefined)
      throw new RalphError("not-found", `${path} has no memories of ${surroundings.root}`, {
        hint: "name the folder, such as projects/NAME/memory",
      });
    yield* memorySections(memory);
  } else yield* memorySections(path);
}

function* projectSections(path: string): Generator<FileSection> {
  const source = openSource(path);
  for (const file of ruleFiles) if (source.has(file)) yield* ruleSections(source, file);
  for (const file of markdownFilesIn(source, rulesFolder))
    yield* ruleSections(source, file, { tags: ["rule"] });
  for (const folder of agentFolders)
    for (const agent of source.folders(folder)) yield* memorySections(join(path, folder, agent));
}

/** Each memory file as a note, linked to those it names; the index only if it contains more than their names. */
function* memorySections(folder: string, onlyFile?: string): Generator<FileSection> {
  const source = openSource(folder);
  const files = markdownFilesIn(source);
  const read = (file: string) => readMarkdown(source.findText(file) ?? "");
  const nameOf = (file: string, { fields }: MarkdownFile) => fields.get("name") ?? basename(file, ".md");
  // The parent's name distinguishes folders with equal names, such as `memory`.
  const idOf = (file: string) => `${basename(dirname(folder))}/${basename(folder)}/${file}`;
  const ids = new Map<string, string>();
  for (const file of files)
    for (const name of [basename(file, ".md"), nameOf(file, read(file))]) ids.set(slugOf(name), idOf(file));
  for (const file of onlyFile === undefined ? files : [onlyFile]) {
    const memory = read(file);
    const id = idOf(file);
    if (basename(file) === indexFile) {
      yield { name: indexFile, file, records: indexNotes(id, memory) };
      continue;
    }
    const name = nameOf(file, memory);
    // Names without a file yet are reported as links to missing records.
    const links = [...memory.body.matchAll(/\[\[([^\][\n|]{1,200})(?:\|[^\]\n]*)?\]\]/g)];
    const targets = new Set(links.map(([, target = ""]) => ids.get(slugOf(target)) ?? target));
    const linked = [...targets].map((to) => linkRecord({ from: id, word: "related_to", to }));
    yield { name, file, records: [...memoryNotes(id, name, memory), ...linked] };
  }
}

const noteTypes: ReadonlyMap<string, NoteType> = new Map<string, NoteType>([
  ["feedback", "pattern"],
  ["user", "pattern"],
  ["project", "decision"],
]);

function memoryNotes(id: string, name: string, { fields, body }: MarkdownFile): ForeignRecord[] {
  const type = fields.get("metadata.type") ?? fields.get("type") ?? "";
  const about = fields.get("description") ?? name;
  const isEmpty = body.trim() === "";
  const isInBody = body.toLowerCase().includes(about.toLowerCase().replace(/\.$/, ""));
  return noteRecords({
    ...{ id, type: noteTypes.get(type) ?? "context", text: isEmpty ? about : body },
    title: isEmpty || isInBody ? undefined : about,
    tags: [slugOf(name), type].filter(Boolean),
    created: fields.get("metadata.modified"),
    original: { fields: Object.fromEntries(fields), body },
  });
}

/** Drops lines such as `- [Title](file.md) — hook`, which only repeat the files. */
function indexNotes(id: string, { body }: MarkdownFile): ForeignRecord[] {
  return itemsOf(body)
    .filter((item) => !/^\[[^\]]*\]\([^)]+\.md\)/.test(item) && !/^#+ /.test(item))
    .flatMap((text) =>
      noteRecords({ id: `${id}#${slugOf(text).slice(0, 80)}`, type: "context", text, tags: [] }),
    );
}

/** The folder with a project's memories. Its name cannot be turned back into a path, but sessions next to it contain theirs. */
function findProjectMemory({ root, home, environment }: Surroundings): string | undefined {
  const config = environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const projects = join(config, "projects");
  const known = (existsSync(projects) ? listEntries(projects) : [])
    .filter((name) => existsSync(join(projects, name, memoryFolder)))
    .map((name) => ({ name, cwd: folderOfSessions(join(projects, name)) }));
  const slug = root.replace(/[^A-Za-z0-9]/g, "-");
  const own =
    known.find(({ cwd }) => cwd === root) ??
    known.find(({ name, cwd }) => name === slug && (cwd === undefined || isInside(root, cwd))) ??
    known.find(({ cwd }) => cwd !== undefined && isInside(root, cwd));
  if (own !== undefined) return join(projects, own.name, memoryFolder);
  // A user may have one folder for the memories of all projects.
  const { autoMemoryDirectory: folder } = findSettings(join(config, "settings.json"));
  const path = isText(folder) ? folder.replace(/^~(?=\/)/, home) : "";
  return existsSync(path) ? path : undefined;
}

const linesToRead = 100;

/** The folder in which sessions were started, if one of them names it. */
function folderOfSessions(folder: string): string | undefined {
  for (const name of listEntries(folder).filter((each) => each.endsWith(".jsonl"))) {
    let read = 0;
    try {
      for (const { text } of linesOf(join(folder, name))) {
        const row: unknown = JSON.parse(text || "null");
        if (isObject(row) && isText(row.cwd)) return row.cwd;
        read += 1;
        if (read >= linesToRead) break;
      }
    } catch (error) {
      // A session that is being written, or has another format, is skipped.
      if (!(error instanceof SyntaxError) && !(error instanceof RalphError)) throw error;
    }
  }
  return undefined;
}
