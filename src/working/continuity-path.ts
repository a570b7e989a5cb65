import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { isInside, resolveLinks } from "../files/path-inside.js";

/** Files of other tools, which must never be overwritten. */
const foreignFiles = ["scratchpad.md", "memories.md", "skill.md"];
const reservedFolders = [".git", ".ralph", "node_modules"];

/** The path of the continuity file; throws when it is outside the project or belongs to another tool. */
export function continuityPath(home: string, setting: string): string {
  const path = resolve(home, setting);
  const refuse = (what: string) =>
    new RalphError("invalid-settings", `continuity.path ${what}: ${setting}`, {
      hint: "such as .agent/CONTINUITY.md",
    });
  if (isAbsolute(setting) || path === home || !isInside(home, path)) throw refuse("is outside the project");
  withFileErrors(path, () => {
    const root = resolveLinks(home);
    const target = resolveLinks(path);
    if (target === root || !isInside(root, target)) throw refuse("is a link out of the project");
    const names = [path, target].map((each) => basename(each).toLowerCase());
    if (names.some((name) => foreignFiles.includes(name))) throw refuse("is a file of another tool");
    if (!names.every((name) => /\.(?:md|markdown)$/.test(name))) throw refuse("is not a Markdown file");
    const folders = relative(root, target).split(sep).slice(0, -1);
    const reserved = folders.find((name) => reservedFolders.includes(name));
    if (reserved !== undefined) throw refuse(`is inside ${reserved}`);
  });
  return path;
}
