import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { makeFolder } from "../files/make-folder.js";
import { fingerprint } from "../text/fingerprint.js";

/** What the user has allowed a project: digests of requests. */
export interface Trust {
  project: string;
  allowed: string[];
  /** Whether its records were somebody else's at any time: they stay so when git no longer tracks them. */
  isForeign: boolean;
  /** Runs that came with an import, as digests: what they would start is somebody else's. */
  importedRuns: string[];
  /** Learnings, by id, and tasks, by UUID, that came with an import and read like an instruction to an agent. */
  importedTexts: string[];
}

/** The file exists for each project whose memory was made or adopted by this user. */
export function trustFile(ralphHome: string, project: string): string {
  return join(ralphHome, "trust", `${fingerprint(project)}.json`);
}

/** Nothing is allowed when the file is missing, unreadable or another project's. */
export function readTrust(path: string, project: string): Trust {
  const nothing = { project, allowed: [], isForeign: false, importedRuns: [], importedTexts: [] };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, "ENOENT", "EACCES", "EISDIR", "ENOTDIR"))
      return nothing;
    throw error;
  }
  if (!isObject(content) || content.project !== project || !Array.isArray(content.allowed)) return nothing;
  return {
    project,
    allowed: textsIn(content.allowed),
    isForeign: content.isForeign === true,
    importedRuns: textsIn(content.importedRuns),
    importedTexts: textsIn(content.importedTexts),
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Marks the memory of a project as known to this user; whether it was not, and is now. */
export function markKnown(path: string, project: string): boolean {
  try {
    makeFolder(dirname(path), 0o700);
    writeFileSync(path, `${JSON.stringify({ project, allowed: [] })}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // A home that cannot be written to only costs the mark.
    if (error instanceof RalphError) return false;
    if (isSystemError(error, "EEXIST", "ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "ENOTDIR"))
      return false;
    throw error;
  }
}
