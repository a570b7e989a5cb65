import { lstatSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../../domain/shape.js";
import { namesIn } from "../../../files/names-in.js";
import { readFileSnapshot } from "../../../files/read-file.js";
import { replaceIfUnchanged } from "../../../files/replace-file.js";
import { checksumOf } from "../../../semantic/records/checksum.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import { type Redacted, redact, redactDeepInto } from "../../../text/secrets/redact.js";
import { continuityPath } from "../../../working/continuity-file.js";
import type { OpenProject } from "../../project/open-project.js";
import type { Place } from "../../project/place.js";
import { filesOf } from "../../project/place.js";

/** A file that holds secrets. */
export interface SecretFile {
  path: string;
  kinds: SecretKind[];
  /** Numbers of the lines that show a secret by themselves. */
  lines: number[];
  isRedacted: boolean;
}

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 6;

/** The files that Ralph writes or reads: notes, continuity, skills, logs. */
export async function filesToSearch(session: OpenProject, place: Place): Promise<string[]> {
  const settings = await session.settings();
  const home = session.owner === "user" ? session.ralphHome : session.home;
  const besideNotes = [...new Set(filesOf(place).map(({ path }) => dirname(path)))];
  const beside = besideNotes.flatMap((folder) =>
    ["skills", "skills-drafts"].map((name) => join(folder, name)),
  );
  // What is found is rewritten, and a link may lead to files that are not the project's, such as keys.
  const linked = session.trust.linkRequests(beside).map(({ name }) => resolve(session.home, name));
  const folders = [
    ...beside.filter((folder) => !linked.includes(folder)),
    ...(session.owner === "user"
      ? ["logs", "previous"].map((name) => join(place.storeDirectory, name))
      : [place.storeDirectory]),
  ];
  const files = [
    ...filesOf(place).map(({ path }) => path),
    continuityPath(home, settings["continuity.path"]),
    ...folders.flatMap((folder) => textFilesBelow(folder, maxDepth)),
  ];
  return [...new Set(files)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** A text file is searched in memory, as a whole. */
export function isTooLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
}

function textFilesBelow(folder: string, depth: number): string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return depth > 0 ? textFilesBelow(path, depth - 1) : [];
    return stats?.isFile() && !name.includes(".db") ? [path] : [];
  });
}

/** Finds secrets in a file; with `isWritten`, replaces them and keeps every other byte. */
export function searchFile(path: string, { isWritten }: { isWritten: boolean }): SecretFile | undefined {
  const { bytes, stamp } = readFileSnapshot(path);
  if (bytes === undefined) return undefined;
  const { text, encoding } = decode(bytes);
  const { text: safe, found } = redactBackup(text) ?? redact(text);
  if (found.length === 0) return undefined;
  const secret = { path, kinds: found, lines: linesWithSecrets(text) };
  if (!isWritten) return { ...secret, isRedacted: false };
  const written = replaceIfUnchanged(path, [Buffer.from(safe, encoding)], stamp);
  return { ...secret, isRedacted: written !== undefined };
}

/** A backup of learnings is known by its checksum, which has to match again. */
function redactBackup(text: string): Redacted | undefined {
  const backup = parsed(text);
  if (
    !isObject(backup) ||
    !Array.isArray(backup.learnings) ||
    checksumOf(backup.learnings) !== backup.checksum
  )
    return undefined;
  const found = new Set<SecretKind>();
  const learnings = redactDeepInto(backup.learnings, found);
  return {
    text: `${JSON.stringify({ checksum: checksumOf(learnings), learnings }, null, 1)}\n`,
    found: [...found],
  };
}

function parsed(text: string): unknown {
  try {
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes that are no UTF-8 are kept by reading each as one character. */
function decode(bytes: Buffer): { text: string; encoding: "utf8" | "latin1" } {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes)
    ? { text, encoding: "utf8" }
    : { text: bytes.toString("latin1"), encoding: "latin1" };
}

function linesWithSecrets(text: string): number[] {
  return text.split("\n").flatMap((line, index) => (redact(line).found.length > 0 ? [index + 1] : []));
}
