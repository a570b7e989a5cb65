import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "../../files/path-inside.js";
import { noteRecords } from "../building/note-records.js";
import type { ReadOptions } from "../layout.js";
import { type FileSection, layoutOfSections } from "../markdown/layout-of-sections.js";
import { sectionsOf } from "../markdown/sections.js";
import { openSource, type SourceFolder } from "../source-folder.js";
import { rolloutSection } from "./rollout-section.js";
import { taskGroups } from "./task-groups.js";

const groupsFile = "MEMORY.md";
const summaryFile = "memory_summary.md";
const rolloutFolder = "rollout_summaries";
const notesFolder = "extensions/ad_hoc/notes";
const index = "What's in Memory";

/** The memories of Codex, of all folders it worked in; those of other folders are taken only if they are asked for. */
export const codexLayout = layoutOfSections({
  name: "codex",
  find: ({ home, environment }) => {
    const path = join(environment.CODEX_HOME || join(home, ".codex"), "memories");
    return existsSync(path) ? [path] : [];
  },
  sections: readSections,
});

function* readSections(path: string, { surroundings, onSkipped }: ReadOptions): Generator<FileSection> {
  const source = openSource(path);
  const { root } = surroundings;
  const isHere = (cwd: string | undefined) => cwd !== undefined && isInside(root, cwd);
  const others = new Map<string, number>();
  const told = [
    ...taskGroups(source, groupsFile),
    ...markdownIn(source, rolloutFolder).map((file) => rolloutSection(source, file)),
  ];
  for (const { cwd, ...section } of told) {
    if (!isHere(cwd)) others.set(section.file, (others.get(section.file) ?? 0) + 1);
    yield { ...section, isOptional: !isHere(cwd) };
  }
  yield* summarySections(source, basename(root));
  for (const file of markdownIn(source, notesFolder)) yield noteSection(source, file);
  for (const [file, count] of others)
    onSkipped(`${file}: ${count} of other folders; --only takes them by name`);
  if (source.has("skills")) onSkipped("skills: they are for all projects");
}

function markdownIn(source: SourceFolder, folder: string): string[] {
  return [...source.walk(folder)].filter((file) => file.endsWith(".md"));
}

function noteSection(source: SourceFolder, file: string): FileSection {
  const day = /^\d{4}-\d\d-\d\d/.exec(basename(file))?.[0];
  const text = source.findText(file) ?? "";
  const records = noteRecords({ id: file, type: "context", text, tags: ["codex"], created: day });
  return { name: basename(file, ".md"), file, records };
}

/** What is true of the user; of the index of all projects, only the part of this one. */
function* summarySections(source: SourceFolder, project: string): Generator<FileSection> {
  const text = (source.findText(summaryFile) ?? "").replace(/^v\d+\s*\n/, "");
  for (const { headings, text: told } of sectionsOf(text, { deepest: 3 })) {
    const name = headings.at(-1) ?? summaryFile;
    if (headings.includes(index) && name !== project) continue;
    const id = `${summaryFile}#${headings.join("#")}`;
    const note = { id, type: "context" as const, text: told, title: name, tags: ["codex"] };
    yield { name, file: summaryFile, records: noteRecords({ ...note, original: told }) };
  }
}
