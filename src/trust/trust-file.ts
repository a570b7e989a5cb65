import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isSystemError } from "../domain/ralph-error.js";
import { sha256 } from "../domain/sha256.js";
import { isObject } from "../domain/shape.js";
import { makeFolder } from "../files/make-folder.js";
import { replaceFile } from "../files/replace-file.js";
import { fingerprint } from "../text/fingerprint.js";
import { unique } from "../text/unique.js";
import type { TrustRequest } from "./request.js";

/** The digests of requests that the user has allowed for a project. */
export interface Trust {
  project: string;
  allowed: string[];
  /** Whether foreign records were copied into its store. */
  isForeign: boolean;
  /** Digests of imported runs: someone else chose what they would start. */
  importedRuns: string[];
  /** Imported learnings, by id, and tasks, by UUID, that read like an instruction to an agent. */
  importedTexts: string[];
}

export function trustFile(ralphHome: string, project: string): string {
  return join(ralphHome, "trust", `${fingerprint(project)}.json`);
}

/** Nothing is allowed if the file is missing, unreadable or another project's. */
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

/** Whether the user has allowed a request of a project; the file is read once. */
export function openAllowedRequests(path: string, project: string): (request: TrustRequest) => boolean {
  const { allowed } = readTrust(path, project);
  const digests = new Set(allowed);
  return (request) => digests.has(digestOf(request));
}

/** Requests are stored as digests, because they may contain secrets. */
export function digestOf({ kind, name, value }: TrustRequest): string {
  return sha256(JSON.stringify([kind, name, value]));
}

/** Updates the stored trust in a project. */
export function updateTrust(path: string, project: string, changes: Partial<Omit<Trust, "project">>): void {
  const known = readTrust(path, project);
  const lists = { ...known, ...changes };
  const trust: Trust = {
    ...lists,
    allowed: unique(lists.allowed),
    importedRuns: unique(lists.importedRuns),
    importedTexts: unique(lists.importedTexts),
  };
  if (isDeepStrictEqual(trust, known)) return;
  makeFolder(dirname(path), 0o700);
  replaceFile(path, `${JSON.stringify(trust, null, 2)}\n`);
}
