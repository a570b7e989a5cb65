import { existsSync } from "node:fs";
import { join } from "node:path";
import { findStats } from "../../files/find-stats.js";
import { openSourceFile } from "../building/source-file.js";
import { type FileSection, layoutOfSections } from "../markdown/layout-of-sections.js";
import { ruleSections } from "../markdown/rule-sections.js";
import { openSource } from "../source-folder.js";

const rulesFolder = ".cursor/rules";
const oldFile = ".cursorrules";

/** The rules of Cursor. */
export const cursorLayout = layoutOfSections({
  name: "cursor",
  find: ({ root }) => ([rulesFolder, oldFile].some((path) => existsSync(join(root, path))) ? [root] : []),
  sections: readRules,
});

/** Of a project, or of its folder of rules, or a single file. */
function* readRules(path: string): Generator<FileSection> {
  if (findStats(path)?.isFile()) {
    const { source, file } = openSourceFile(path, []);
    yield* ruleSections(source, file);
    return;
  }
  const source = openSource(path);
  const folder = [rulesFolder, "rules"].find((each) => source.has(each)) ?? "";
  if (source.has(oldFile)) yield* ruleSections(source, oldFile);
  if (folder === "" && source.has(oldFile)) return;
  for (const file of source.walk(folder)) if (/\.mdc?$/.test(file)) yield* ruleSections(source, file);
}
