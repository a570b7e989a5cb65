import { existsSync } from "node:fs";
import { join } from "node:path";
import { findStats, isFolder } from "../../files/find-stats.js";
import {
  type FileSection,
  layoutOfSections,
  markdownFilesIn,
  type RuleOptions,
  ruleSections,
  ruleSectionsAt,
} from "../markdown.js";
import { openSource } from "../source-folder.js";

const cursorRules = ".cursor/rules";
const oldCursorFile = ".cursorrules";

/** The rules of Cursor. */
export const cursorLayout = layoutOfSections({
  name: "cursor",
  find: ({ root }) =>
    [cursorRules, oldCursorFile].some((path) => existsSync(join(root, path))) ? [root] : [],
  sections: readCursorRules,
});

/** The rules of a project, of its folder of rules, or of a single file. */
function* readCursorRules(path: string): Generator<FileSection> {
  if (findStats(path)?.isFile()) return yield* ruleSectionsAt(path);
  const source = openSource(path);
  const folder = [cursorRules, "rules"].find((each) => source.has(each));
  const hasOld = source.has(oldCursorFile);
  if (hasOld) yield* ruleSections(source, oldCursorFile);
  if (folder !== undefined || !hasOld)
    for (const file of markdownFilesIn(source, folder, /\.mdc?$/)) yield* ruleSections(source, file);
}

interface RulePlace extends RuleOptions {
  /** A file, or a folder with files. */
  path: string;
  /** The extension of the files in a folder. */
  ending?: RegExp;
}

/** Where agents without their own layout store rules, in a project or in the user's home. */
const places: readonly RulePlace[] = [
  { path: "AGENTS.md" },
  { path: ".kiro/steering", ending: /\.md$/, tags: ["kiro"] },
  { path: ".github/copilot-instructions.md", tags: ["copilot"] },
  { path: ".github/instructions", ending: /\.instructions\.md$/, tags: ["copilot"] },
  { path: ".copilot/copilot-instructions.md", tags: ["copilot"] },
  { path: ".windsurf/rules", ending: /\.md$/, tags: ["windsurf"] },
  { path: ".windsurfrules", tags: ["windsurf"] },
  { path: ".codeium/windsurf/memories/global_rules.md", tags: ["windsurf"] },
  { path: ".clinerules", ending: /\.md$/, tags: ["cline"] },
  { path: "memory-bank", ending: /\.md$/, type: "context", tags: ["cline"] },
];

/** The rules that several agents read. */
export const rulesLayout = layoutOfSections({
  name: "rules",
  find: ({ root }) => (places.some(({ path }) => existsSync(join(root, path))) ? [root] : []),
  sections: readRules,
});

function* readRules(path: string): Generator<FileSection> {
  if (findStats(path)?.isFile()) return yield* ruleSectionsAt(path);
  const source = openSource(path);
  for (const place of places) {
    if (!source.has(place.path)) continue;
    if (!isFolder(join(path, place.path))) yield* ruleSections(source, place.path, place);
    else if (place.ending !== undefined)
      for (const file of markdownFilesIn(source, place.path, place.ending))
        yield* ruleSections(source, file, place);
  }
}
