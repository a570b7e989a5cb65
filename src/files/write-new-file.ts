import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { fileProblem, withFileErrors } from "./file-problem.js";
import { makeFolder } from "./make-folder.js";
import { refuseGit } from "./path-inside.js";
import { refuseSpecialFile, writeAll } from "./replace-file.js";

/** Writes a file piece by piece under another name and renames it once everything is on the disk. */
export async function writeNewFile<Result>(
  path: string,
  { force }: { force: boolean },
  work: (write: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  if (!force && existsSync(path))
    throw new RalphError("already-exists", `${path} already exists`, {
      hint: "choose another name, or overwrite it with --force",
    });
  refuseGit(path);
  makeFolder(dirname(path));
  refuseSpecialFile(path);
  const draft = `${path}.${randomUUID()}.part`;
  const file = withFileErrors(path, () => openSync(draft, "wx", 0o600));
  try {
    const result = await work((text) => writeAll(file, [Buffer.from(text)]));
    fsyncSync(file);
    renameSync(draft, path);
    return result;
  } catch (error) {
    rmSync(draft, { force: true });
    throw fileProblem(path, error);
  } finally {
    closeSync(file);
  }
}
