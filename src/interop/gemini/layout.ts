import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../domain/sha256.js";
import { findStats } from "../../files/find-stats.js";
import { noteRecords } from "../building/note-records.js";
import type { Surroundings } from "../layout.js";
import { type FileSection, layoutOfSections, slugOf } from "../markdown/layout-of-sections.js";
import { ruleSections } from "../markdown/rule-sections.js";
import { itemsOf, sectionsOf } from "../markdown/sections.js";
import { findText, listEntries } from "../read-plain-file.js";
import { openSource, type SourceFolder } from "../source-folder.js";

const addedMemories = "Gemini Added Memories";
const rulesFile = "GEMINI.md";
const memoryFile = "MEMORY.md";

/** What Gemini CLI was told to remember, and the rules of its users. */
export const geminiLayout = layoutOfSections({
  name: "gemini",
  find: (surroundings) => {
    const { root, home } = surroundings;
    const paths = [
      ...projectMemories(surroundings),
      ...[join(root, rulesFile), join(home, ".gemini", rulesFile)],
    ];
    return [...new Set(paths)].filter((path) => existsSync(path));
  },
  sections: readSections,
});

/** Of a file, or of each such file in a folder. */
function* readSections(path: string): Generator<FileSection> {
  const isFile = findStats(path)?.isFile();
  const source = openSource(isFile ? dirname(path) : path);
  const files = isFile
    ? [basename(path)]
    : source.list("").filter((name) => /(?:GEMINI|MEMORY)\.md$/.test(name));
  for (const file of files)
    if (file.endsWith(memoryFile)) yield* factSections(file, source.findText(file) ?? "");
    else yield* readRules(source, file);
}

/** If there are memories among the rules, the rules are taken only if they are asked for. */
function* readRules(source: SourceFolder, file: string): Generator<FileSection> {
  const sections = ruleSections(source, file);
  const hasMemories = sections.some(({ name }) => name === addedMemories);
  for (const section of sections)
    if (section.name !== addedMemories) yield { ...section, isOptional: hasMemories };
  const added = sectionsOf(source.findText(file) ?? "").find(
    ({ headings }) => headings.at(-1) === addedMemories,
  );
  if (added !== undefined) yield* factSections(file, `## ${addedMemories}\n${added.text}`);
}

/** A note for each line. */
function* factSections(file: string, text: string): Generator<FileSection> {
  for (const section of sectionsOf(text)) {
    const name = section.headings.at(-1) ?? file;
    const records = itemsOf(section.text).flatMap((item) =>
      noteRecords({
        id: `${name} ${slugOf(item).slice(0, 80)}`,
        type: "context",
        text: item,
        tags: ["gemini"],
      }),
    );
    yield { name, file, records };
  }
}

/** Folders are named by a word, or in earlier versions by the hash of the path; a file in them tells the path. */
function projectMemories({ root, home }: Surroundings): string[] {
  const folder = join(home, ".gemini", "tmp");
  const names = existsSync(folder) ? listEntries(folder) : [];
  const isOwn = (name: string) => name === sha256(root) || rootIn(join(folder, name)) === root;
  return names.filter(isOwn).map((name) => join(folder, name, "memory", memoryFile));
}

function rootIn(folder: string): string | undefined {
  try {
    return findText(join(folder, ".project_root"))?.trim();
  } catch {
    return undefined;
  }
}
