import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../domain/sha256.js";
import { findStats } from "../../files/find-stats.js";
import { unique } from "../../text/unique.js";
import type { Surroundings } from "../layout.js";
import {
  type FileSection,
  itemsOf,
  layoutOfSections,
  ruleSections,
  sectionsOf,
  slugOf,
} from "../markdown.js";
import { findText, listEntries } from "../read-file.js";
import { noteRecords } from "../records.js";
import { openSource } from "../source-folder.js";

const addedMemories = "Gemini Added Memories";
const memoryFile = "MEMORY.md";

/** What Gemini CLI was asked to remember, and its users' rules. */
export const geminiLayout = layoutOfSections({
  name: "gemini",
  find: (surroundings) => {
    const { root, home } = surroundings;
    const rules = [root, join(home, ".gemini")].map((folder) => join(folder, "GEMINI.md"));
    return unique([...projectMemories(surroundings), ...rules]).filter((path) => existsSync(path));
  },
  sections: readSections,
});

/** A file, or each such file in a folder. If the folder also contains memories, rules are imported only by name. */
function* readSections(path: string): Generator<FileSection> {
  const isFile = findStats(path)?.isFile();
  const source = openSource(isFile ? dirname(path) : path);
  const files = isFile
    ? [basename(path)]
    : source.list("").filter((name) => /(?:GEMINI|MEMORY)\.md$/.test(name));
  for (const file of files) {
    const text = source.findText(file) ?? "";
    if (file.endsWith(memoryFile)) {
      yield* factSections(file, text);
      continue;
    }
    const added = sectionsOf(text).find(({ headings }) => headings.at(-1) === addedMemories);
    for (const section of ruleSections(source, file))
      if (section.name !== addedMemories) yield { ...section, isOptional: added !== undefined };
    if (added !== undefined) yield* factSections(file, `## ${addedMemories}\n${added.text}`);
  }
}

/** A note for each line. */
function* factSections(file: string, text: string): Generator<FileSection> {
  for (const section of sectionsOf(text)) {
    const name = section.headings.at(-1) ?? file;
    const records = itemsOf(section.text).flatMap((item) => {
      const id = `${name} ${slugOf(item).slice(0, 80)}`;
      return noteRecords({ id, type: "context", text: item, tags: ["gemini"] });
    });
    yield { name, file, records };
  }
}

/** Folders are named with a word, or in earlier versions with the hash of the path; a file in them contains the path. */
function projectMemories({ root, home }: Surroundings): string[] {
  const folder = join(home, ".gemini", "tmp");
  const isOwn = (name: string) => name === sha256(root) || rootIn(join(folder, name)) === root;
  return listEntries(folder)
    .filter(isOwn)
    .map((name) => join(folder, name, "memory", memoryFile));
}

function rootIn(folder: string): string | undefined {
  try {
    return findText(join(folder, ".project_root"))?.trim();
  } catch {
    return undefined;
  }
}
