import { lstatSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { namesIn } from "../../files/names-in.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { replaceIfUnchanged } from "../../files/replace-file.js";
import { checksumOf } from "../../semantic/records/checksum.js";
import { hasStore, listKeptDatabases, searchDatabaseFile } from "../../store/open-store.js";
import { counted, listed } from "../../text/counted.js";
import type { SecretKind } from "../../text/secrets/mark.js";
import { type Redacted, redact, redactDeepInto } from "../../text/secrets/redact.js";
import { continuityPath } from "../../working/continuity-file.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf, type Place } from "../project/place.js";
import { describeError, type Finding, ok } from "./finding.js";
import { redactingRecords } from "./secret-records.js";

type Kinds = Map<string, Set<SecretKind>>;

interface Search {
  project: OpenProject;
  place: Place;
  /** Replaces what is found. */
  isWritten: boolean;
}

/** Secrets that were stored before they could be redacted, or that a person wrote: their kinds and places, never themselves. */
export function checkSecrets(
  project: OpenProject,
  place: Place,
  { redact }: { redact: boolean },
): Promise<Finding[]> {
  const search = { project, place, isWritten: redact };
  return project.redacting(async () => {
    const findings = [
      ...(await searchFiles(search)),
      ...(await searchDatabase(search)),
      ...(await searchBackups(search)),
      ...(await searchKeptDatabases(search)),
    ];
    const isFound = findings.some(({ status }) => status !== "warning");
    const elsewhere = findings.length > 0 ? " elsewhere" : "";
    const none = ok(`none found${elsewhere} in notes, continuity, skills, database, backups and logs`);
    return [...findings, isFound ? nextStep(redact) : none];
  });
}

function nextStep(isRedacted: boolean): Finding {
  const detail = isRedacted
    ? "make these secrets invalid where they are used, too: Git's history or a copy may still hold them"
    : '"ralph doctor --secrets --redact" replaces them there; make them invalid where they are used, too';
  return { status: "warning", detail };
}

async function searchFiles({ project, place, isWritten }: Search): Promise<Finding[]> {
  return (await filesToSearch(project, place)).flatMap((path): Finding[] => {
    if (isTooLarge(path)) return [tooLarge(project, path)];
    const found = searchFile(path, { isWritten });
    if (found === undefined) return [];
    const lines = found.lines.length === 0 ? "" : `, ${listed(found.lines, "line", "lines")}`;
    const detail = `${relative(project.root, path)}${lines}: ${found.kinds.join(", ")}`;
    if (isWritten && !found.isRedacted)
      return [{ status: "failed", detail: `${detail} (somebody is writing to it; try again)` }];
    return [toFinding(detail, isWritten)];
  });
}

function tooLarge(project: OpenProject, path: string): Finding {
  return { status: "warning", detail: `${relative(project.root, path)} is too large to be searched` };
}

async function searchDatabase({ project, place, isWritten }: Search): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [];
  const kinds: Kinds = new Map();
  const opened = await project.openStore(place);
  const columns = await opened.store.scrubRecords(redactingRecords(kinds), { isWritten });
  if (columns.length === 0) return [];
  if (isWritten) {
    // The index holds the words of what it was made from, and a deleted page keeps its bytes until the file is rewritten.
    await rebuildIndex(opened);
    await opened.store.compact();
  }
  return columns
    .filter(({ table, column }) => kinds.has(`${table}.${column}`))
    .map(({ table, column, rows }) =>
      toFinding(
        `database, ${table}.${column}, ${counted(rows, "record")}: ${[...(kinds.get(`${table}.${column}`) ?? [])].join(", ")}`,
        isWritten,
      ),
    );
}

/** A backup is removed rather than changed; a new one takes its place. */
async function searchBackups({ project, place, isWritten }: Search): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [];
  const { store } = await project.openStore(place);
  const findings: Finding[] = [];
  for (const path of (await store.describe()).backups) {
    const kinds: Kinds = new Map();
    const name = relative(project.root, path);
    try {
      await searchDatabaseFile(path, redactingRecords(kinds));
    } catch (error) {
      findings.push({ status: "warning", detail: `${name} cannot be searched: ${describeError(error)}` });
    }
    if (kinds.size === 0) continue;
    const detail = `${name}: ${allOf(kinds).join(", ")}`;
    if (isWritten) rmSync(path, { force: true });
    findings.push(
      isWritten
        ? { status: "repaired", detail: `${detail}; the backup was removed` }
        : toFinding(detail, false),
    );
  }
  if (isWritten && findings.some(({ status }) => status === "repaired"))
    await store.backUpIfDue(project.clock());
  return findings;
}

/** Databases that a repair put aside. They are the last copy of what it could not read, so only the user removes them. */
async function searchKeptDatabases({ project, place }: Search): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of await listKeptDatabases(place.storeDirectory)) {
    const kinds = await kindsInDatabase(path);
    if (kinds === undefined) findings.push(tooLarge(project, path));
    else if (kinds.length > 0)
      findings.push({
        status: "failed",
        detail: `${relative(project.root, path)}: ${kinds.join(", ")} (kept by a repair; remove it when you do not need it)`,
      });
  }
  return findings;
}

/** Of a database that cannot be read, by its bytes; undefined if there are too many of them. */
async function kindsInDatabase(path: string): Promise<SecretKind[] | undefined> {
  const kinds: Kinds = new Map();
  try {
    await searchDatabaseFile(path, redactingRecords(kinds));
    return allOf(kinds);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return isTooLarge(path) ? undefined : (searchFile(path, { isWritten: false })?.kinds ?? []);
  }
}

function allOf(kinds: Kinds): SecretKind[] {
  return [...new Set([...kinds.values()].flatMap((each) => [...each]))];
}

function toFinding(detail: string, isWritten: boolean): Finding {
  return isWritten ? { status: "repaired", detail } : { status: "failed", detail };
}

/** A file that holds secrets. */
interface SecretFile {
  path: string;
  kinds: SecretKind[];
  /** Numbers of the lines that show a secret by themselves. */
  lines: number[];
  isRedacted: boolean;
}

const maxBytes = 16 * 1024 * 1024;
const maxDepth = 6;

/** The files that Ralph writes or reads: notes, continuity, skills, logs. */
async function filesToSearch(project: OpenProject, place: Place): Promise<string[]> {
  const settings = await project.settings();
  const home = project.owner === "user" ? project.ralphHome : project.home;
  const besideNotes = [...new Set(filesOf(place).map(({ path }) => dirname(path)))];
  const beside = besideNotes.flatMap((folder) =>
    ["skills", "skills-drafts"].map((name) => join(folder, name)),
  );
  // What is found is rewritten, and a link may lead to files that are not the project's, such as keys.
  const linked = project.trust.linkRequests(beside).map(({ name }) => resolve(project.home, name));
  const folders = [
    ...beside.filter((folder) => !linked.includes(folder)),
    ...(project.owner === "user"
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
function isTooLarge(path: string): boolean {
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
function searchFile(path: string, { isWritten }: { isWritten: boolean }): SecretFile | undefined {
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
