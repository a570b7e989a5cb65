import { existsSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject, isText } from "../../domain/shape.js";
import { isInside } from "../../files/path-inside.js";
import { findSettings } from "../building/find-settings.js";
import { linesOf } from "../jsonl/lines-of.js";
import type { Surroundings } from "../layout.js";
import { listEntries } from "../read-plain-file.js";

const memoryFolder = "memory";
const linesToRead = 100;

export function configFolder({ home, environment }: Surroundings): string {
  return environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

/** The folder with the memories of a project. Its name cannot be turned back into a path, but sessions beside it tell theirs. */
export function findProjectMemory(surroundings: Surroundings): string | undefined {
  const { root } = surroundings;
  const projects = join(configFolder(surroundings), "projects");
  const folders = existsSync(projects) ? listEntries(projects) : [];
  const known = folders
    .filter((name) => existsSync(join(projects, name, memoryFolder)))
    .map((name) => ({ name, cwd: folderOfSessions(join(projects, name)) }));
  const own =
    known.find(({ cwd }) => cwd === root) ??
    known.find(({ name, cwd }) => name === slugOfPath(root) && (cwd === undefined || isInside(root, cwd))) ??
    known.find(({ cwd }) => cwd !== undefined && isInside(root, cwd));
  return own === undefined ? configuredFolder(surroundings) : join(projects, own.name, memoryFolder);
}

function slugOfPath(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

/** Where the sessions of a folder were begun, if one tells. */
function folderOfSessions(folder: string): string | undefined {
  for (const name of listEntries(folder)) {
    const cwd = name.endsWith(".jsonl") ? folderOfSession(join(folder, name)) : undefined;
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}

function folderOfSession(path: string): string | undefined {
  let read = 0;
  try {
    for (const { text } of linesOf(path)) {
      const row: unknown = JSON.parse(text || "null");
      if (isObject(row) && isText(row.cwd)) return row.cwd;
      read += 1;
      if (read >= linesToRead) return undefined;
    }
  } catch (error) {
    // A session that is being written, or of another version, tells nothing.
    if (!(error instanceof SyntaxError) && !(error instanceof RalphError)) throw error;
  }
  return undefined;
}

/** A user can have the memories of all projects in one folder of their own. */
function configuredFolder(surroundings: Surroundings): string | undefined {
  const { autoMemoryDirectory: folder } = findSettings(join(configFolder(surroundings), "settings.json"));
  const path = isText(folder) ? folder.replace(/^~(?=\/)/, surroundings.home) : undefined;
  return path !== undefined && existsSync(path) ? path : undefined;
}
