import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";

/** Files in which others write, and that are never taken for a continuity file. */
const othersFiles = ["scratchpad.md", "memories.md", "skill.md"];
const ownFolders = [".git", ".ralph", "node_modules"];

/** Where the continuity file is; a path that leads out of the project, or to somebody else's file, is refused. */
export function continuityPath(home: string, setting: string): string {
  const path = resolve(home, setting);
  const refuse = (what: string) =>
    new RalphError("invalid-settings", `continuity.path ${what}: ${setting}`, {
      hint: "such as .agent/CONTINUITY.md",
    });
  if (isAbsolute(setting) || !isInside(home, path)) throw refuse("leads out of the project");
  withFileErrors(path, () => {
    if (!isInside(followed(home), followed(path))) throw refuse("leads out of the project by a link");
    const isOthers = [path, followed(path)].some((each) =>
      othersFiles.includes(basename(each).toLowerCase()),
    );
    if (isOthers) throw refuse("is a file that belongs to somebody else");
    const target = followed(path);
    const folders = relative(followed(home), target).split(sep).slice(0, -1);
    const isMarkdown = [path, target].every((each) => /\.(?:md|markdown)$/i.test(each));
    if (!isMarkdown) throw refuse("is not a Markdown file");
    if (folders.some((name) => ownFolders.includes(name))) throw refuse("lies in a folder of another kind");
  });
  return path;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path with its links followed, also where its last parts do not exist yet. */
function followed(path: string, steps = 40): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isSystemError(error, "ENOENT") || steps === 0) throw error;
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    return followed(resolve(dirname(path), readlinkSync(path)), steps - 1);
  return join(followed(dirname(path), steps - 1), basename(path));
}
