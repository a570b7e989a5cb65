import { dirname } from "node:path";
import { makeFolder } from "../files/make-folder.js";
import { replaceFile } from "../files/replace-file.js";
import type { TrustRequest } from "./request.js";
import { digestOf, readTrust, type Trust } from "./trust-file.js";

/** Allows these requests and nothing else. */
export function saveAllowedRequests(path: string, project: string, requests: readonly TrustRequest[]): void {
  const allowed = [...new Set(requests.map(digestOf))].sort();
  save(path, { ...readTrust(path, project), allowed });
}

/** Remembers that records of somebody else were copied into the project's store. */
export function saveForeign(path: string, project: string): void {
  const known = readTrust(path, project);
  if (!known.isForeign) save(path, { ...known, isForeign: true });
}

/** Remembers that runs came with an import. */
export function saveImportedRuns(path: string, project: string, digests: readonly string[]): void {
  const known = readTrust(path, project);
  const importedRuns = [...new Set([...known.importedRuns, ...digests])];
  if (importedRuns.length > known.importedRuns.length) save(path, { ...known, importedRuns });
}

/** Remembers that texts came with an import; returns those that were not known yet. */
export function saveImportedTexts(path: string, project: string, keys: readonly string[]): string[] {
  const known = readTrust(path, project);
  const before = new Set(known.importedTexts);
  const fresh = keys.filter((key) => !before.has(key));
  if (fresh.length > 0) save(path, { ...known, importedTexts: [...before, ...fresh] });
  return fresh;
}

export function dropImportedTexts(path: string, project: string, keys: readonly string[]): void {
  const known = readTrust(path, project);
  const dropped = new Set(keys);
  save(path, { ...known, importedTexts: known.importedTexts.filter((key) => !dropped.has(key)) });
}

function save(path: string, trust: Trust): void {
  makeFolder(dirname(path), 0o700);
  replaceFile(path, `${JSON.stringify(trust, null, 2)}\n`);
}
