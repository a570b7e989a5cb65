import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { findStats } from "../../files/find-stats.js";
import { openSourceFile, type SourceFile } from "../building/source-file.js";
import { unusable } from "../record-fields.js";
import { openSource } from "../source-folder.js";

export const beadsFolder = ".beads";

const issueFiles = ["issues.jsonl", "beads.jsonl"];
const databases = ["beads.db", "dolt", "embeddeddolt"];

/** The exported file of a folder, of a project with such a folder, or of the folder that it redirects to. */
export function openBeads(path: string, onRedirected: (folder: string) => void): SourceFile {
  if (findStats(path)?.isFile()) return openSourceFile(path, issueFiles);
  const inner = resolve(path, beadsFolder);
  const given = existsSync(inner) ? inner : path;
  const folder = redirectedFrom(given) ?? given;
  if (folder !== given) onRedirected(folder);
  const isExported = issueFiles.some((name) => existsSync(resolve(folder, name)));
  if (!isExported && databases.some((name) => existsSync(resolve(folder, name))))
    throw new RalphError("not-found", `${folder} has a database, but no ${issueFiles[0]}`, {
      hint: `write it with "bd export -o ${issueFiles[0]}", and import again`,
    });
  return openSourceFile(folder, issueFiles);
}

/** A worktree may name the folder of another one; nothing but such a folder is followed. */
function redirectedFrom(folder: string): string | undefined {
  const source = openSource(folder);
  const named = existsSync(folder) ? source.findText("redirect")?.trim() : undefined;
  if (named === undefined || named === "") return undefined;
  const target = [dirname(folder), folder]
    .map((from) => resolve(from, named))
    .find((each) => basename(each) === beadsFolder && findStats(each)?.isDirectory());
  if (target !== undefined) return target;
  throw unusable(source.place("redirect"), `names no folder ${beadsFolder} that exists`);
}
