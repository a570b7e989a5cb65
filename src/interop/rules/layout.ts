import { existsSync } from "node:fs";
import { join } from "node:path";
import { findStats } from "../../files/find-stats.js";
import { openSourceFile } from "../building/source-file.js";
import { type FileSection, layoutOfSections } from "../markdown/layout-of-sections.js";
import { type RuleOptions, ruleSections } from "../markdown/rule-sections.js";
import { openSource, type SourceFolder } from "../source-folder.js";

interface RulePlace extends RuleOptions {
  /** A file, or a folder with files. */
  path: string;
  /** Of the files in a folder. */
  ending?: string;
}

/** Where agents that have no layout of their own keep their rules, in a project or in the user's home. */
const places: readonly RulePlace[] = [
  { path: "AGENTS.md" },
  { path: ".kiro/steering", ending: ".md", tags: ["kiro"] },
  { path: ".github/copilot-instructions.md", tags: ["copilot"] },
  { path: ".github/instructions", ending: ".instructions.md", tags: ["copilot"] },
  { path: ".copilot/copilot-instructions.md", tags: ["copilot"] },
  { path: ".windsurf/rules", ending: ".md", tags: ["windsurf"] },
  { path: ".windsurfrules", tags: ["windsurf"] },
  { path: ".codeium/windsurf/memories/global_rules.md", tags: ["windsurf"] },
  { path: ".clinerules", ending: ".md", tags: ["cline"] },
  { path: "memory-bank", ending: ".md", type: "context", tags: ["cline"] },
];

/** The rules of agents that any of several tools read. */
export const rulesLayout = layoutOfSections({
  name: "rules",
  find: ({ root }) => (places.some(({ path }) => existsSync(join(root, path))) ? [root] : []),
  sections: readRules,
});

function* readRules(path: string): Generator<FileSection> {
  if (findStats(path)?.isFile()) {
    const { source, file } = openSourceFile(path, []);
    yield* ruleSections(source, file);
    return;
  }
  const source = openSource(path);
  for (const place of places)
    for (const file of filesAt(source, place)) yield* ruleSections(source, file, place);
}

function filesAt(source: SourceFolder, { path, ending }: RulePlace): string[] {
  if (!source.has(path)) return [];
  const isFolder = findStats(join(source.directory, path))?.isDirectory();
  if (!isFolder) return [path];
  return ending === undefined ? [] : [...source.walk(path)].filter((file) => file.endsWith(ending));
}
